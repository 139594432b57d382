"""Records of any benchmark, made by hand."""

from typing import Any

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


def make_record(
    system: str = "ProtoBERT",
    score: float = 0.5,
    *,
    benchmark: str = "few_nerd",
    config: str | None = "inter",
    measure: str = "f1",
    seed: int = 0,
    unit: str = "episode",
    units: dict[str, tuple[float, float]] | None = None,
    scores: dict[str, float] | None = None,
    baselines: dict[str, float] | None = None,
    confusion: dict[str, Any] | None = None,
    task: str = "tagging",
    data: dict[str, Any] | None = None,
    fingerprint: str = "f00d",
    **run: Any,
) -> Record:
    """A record; its units, unless given, are ten that lie around the score and sum up to it."""
    if units is None:
        units = {str(number): (20 * score + (1 if number % 2 else -1) * score, 20.0) for number in range(10)}
    data = {"n_way": 5, "shots": 1} if data is None else data
    return Record(
        run=Run(
            benchmark=benchmark,
            config=config,
            method=run.pop("method", "proto"),
            system=system,
            data=data,
            seed=seed,
            model=run.pop("model", "bert-base-uncased"),
            **run,
        ),
        task=task,
        measure=measure,
        scores={measure: score, **(scores or {})},
        intervals={measure: (score - 0.02, score + 0.02)},
        confidence_level=0.95,
        unit=unit,
        units=list(units),
        numerators=[above for above, _ in units.values()],
        denominators=[below for _, below in units.values()],
        baselines={"most_frequent": 0.1} if baselines is None else baselines,
        confusion=confusion,
        episodes={"fingerprint": fingerprint, "n_episodes": 10, "n_queries": 200, "official": True},
        environment={"versions": {"torch": "2.13.0", "transformers": "5.0.0"}, "device": "cpu", "commit": "abc1234"},
        started="2026-02-03T04:05:06+00:00",
        seconds={"train": 12.345, "predict": 6.0, "score": 0.5},
        command="hf-fewshot run --benchmark few_nerd",
    )
