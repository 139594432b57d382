"""Records of Few-NERD made by hand."""

from dataclasses import replace
from typing import Any

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


def record(system: str = "ProtoBERT", correct: int = 30, *, seed: int = 0, **options: Any) -> Record:
    """A record of 10 episodes with `correct` of 50 entities right, and as many predicted as there are."""
    data = {"n_way": 5, "shots": 1, "n_episodes": 10} | options.pop("data", {})
    run = Run("few_nerd", "proto", "inter", data, system=system, model="bert-base-uncased", training={}, seed=seed)
    numerators = [2.0 * (correct // 10 + (number < correct % 10)) for number in range(10)]
    return Record(
        run=replace(run, **options),
        task="tagging",
        measure="f1",
        scores={"f1": correct / 50, "precision": correct / 50, "recall": correct / 50, "n_correct": correct},
        intervals={"f1": (correct / 50 - 0.1, correct / 50 + 0.1)},
        confidence_level=0.95,
        unit="episode",
        units=[str(number) for number in range(10)],
        numerators=numerators,
        denominators=[10.0] * 10,
        baselines={"no_entity": 0.0},
        confusion=None,
        episodes={"fingerprint": "ab" * 32, "n_episodes": 10, "n_queries": 50, "official": not data.get("sample")},
        environment={"versions": {"hf_fewshot": "0.1", "torch": "2.13"}, "python": "3.11", "device": "CPU, 1 thread"},
        started="2026-01-02T03:04:05+00:00",
        seconds={"predict": 2.0, "score": 1.0},
        command="hf-fewshot run",
    )
