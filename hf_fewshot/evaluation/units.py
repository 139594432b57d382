"""The main measure of a task as a ratio of sums over units, for resampling and paired tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.evaluation.references import references
from hf_fewshot.evaluation.scoring import score_episodes, unit_of
from hf_fewshot.registry import resolve

MAIN_MEASURE = {
    "joint": "sentence_accuracy",
    "tagging": "f1",
    "relation": "f1",
    "classification": "accuracy",
    "spans": "s1",
}
CONFIDENCE_LEVEL = 0.95


@dataclass(frozen=True)
class Measured:
    """Scores of predictions; the main one is the sum of the numerators over the sum of the denominators."""

    measure: str
    scores: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    unit: str
    units: list[str]
    numerators: list[float]
    denominators: list[float]


def measure_episodes(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Measured:
    """All scores of the task, with intervals where there is more than one unit to resample."""
    unit = unit_of(episodes)
    sizes = [len(queries) for queries in predictions]
    n_units = sum(sizes) if unit == "question" else len(sizes)
    options: dict[str, Any] = {"confidence_level": CONFIDENCE_LEVEL if n_units > 1 else None}
    if unit != "domain":
        options["per_group"] = True
    found = score_episodes(episodes, predictions, **options)
    if unit == "domain":
        names = [episode.group for episode in episodes]
        numerators, denominators = _sentences(episodes, predictions), list(map(float, sizes))
    else:
        names = [str(number) for number in range(n_units)]
        numerators, denominators = _sums(episodes.task, found, names, [1] * n_units if unit == "question" else sizes)
    shown = {name: value for name, value in found.items() if not name.startswith("per_group/")}
    ends = {name.removesuffix("_ci_low") for name in shown if name.endswith("_ci_low")}
    return Measured(
        MAIN_MEASURE[episodes.task],
        {name: value for name, value in shown.items() if not name.endswith(("_ci_low", "_ci_high"))},
        {name: (shown[f"{name}_ci_low"], shown[f"{name}_ci_high"]) for name in sorted(ends)},
        unit,
        distinct(names),
        numerators,
        denominators,
    )


def _sums(
    task: str, found: dict[str, float], names: Sequence[str], sizes: Sequence[int]
) -> tuple[list[float], list[float]]:
    def column(measure: str) -> list[float]:
        return [float(found[f"per_group/{name}/{measure}"]) for name in names]

    if MAIN_MEASURE[task] == "f1":
        correct, predicted, gold = map(column, ("n_correct", "n_predictions", "n_references"))
        return [2 * count for count in correct], [p + g for p, g in zip(predicted, gold, strict=True)]
    shares = column(MAIN_MEASURE[task])
    return [share * size for share, size in zip(shares, sizes, strict=True)], list(map(float, sizes))


def _sentences(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> list[float]:
    """How many sentences of each episode are right, intent and every tag."""
    score = resolve("hf_fewshot.metrics.joint_accuracy.scoring:score")
    shares = [
        score(list(own), gold)["sentence_accuracy"] if gold else 0.0
        for own, gold in zip(predictions, references(episodes), strict=True)
    ]
    return [float(round(share * len(own))) for share, own in zip(shares, predictions, strict=True)]


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come more than once with a number."""
    repeated = {name for name, count in Counter(names).items() if count > 1}
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if name in repeated else name)
    return result
