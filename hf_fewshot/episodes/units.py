"""The main measure of a task as a ratio of sums over units, for resampling and paired tests."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score, unit_of
from hf_fewshot.episodes.split_episode import SPLITS

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
        options["per_group"] = "columns"
    found = score(episodes, predictions, **options)
    names = [episode.group for episode in episodes] if unit == "domain" else [str(number) for number in range(n_units)]
    pairs: Iterable[tuple[Any, Any]] = zip(predictions, references(episodes), strict=True)
    if unit == "question":
        pairs = [([one], [right]) for own, gold in pairs for one, right in zip(own, gold, strict=True)]
    sums = episodes.kind.sums(found, names, [1] * n_units if unit == "question" else sizes, pairs)
    if unit == "question" and episodes.spec != SPLITS:
        # Draws of the same examples ask some of them again: they are told by their rows.
        names = [str(row) for row in episodes[0].query]
    shown = {name: value for name, value in found.items() if name != "per_group"}
    ends = {name.removesuffix("_ci_low") for name in shown if name.endswith("_ci_low")}
    return Measured(
        episodes.kind.measure,
        {name: value for name, value in shown.items() if not name.endswith(("_ci_low", "_ci_high"))},
        {name: (shown[f"{name}_ci_low"], shown[f"{name}_ci_high"]) for name in sorted(ends)},
        unit,
        distinct(names),
        sums.numerators,
        sums.denominators,
    )


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come more than once with a number."""
    repeated = {name for name, count in Counter(names).items() if count > 1}
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if name in repeated else name)
    return result
