"""The scores of each class, as the metrics of tasks give them."""

from collections.abc import Mapping
from typing import NamedTuple

from hf_fewshot.analyses.charts import BarChart, Chart
from hf_fewshot.analyses.findings import Cell
from hf_fewshot.tasks.labels import UNPARSED

HEADS = ("precision (%)", "recall (%)", "F1 (%)", "predicted", "gold")


class NamedScore(NamedTuple):
    """Rates of one class in percent, how often it was predicted, how often it is right."""

    precision: float
    recall: float
    f1: float
    predicted: int
    gold: int

    @property
    def cells(self) -> list[Cell]:
        """For a row of a table with these heads."""
        return list(self)


def named_scores(scores: Mapping[str, float], section: str) -> dict[str, NamedScore]:
    """What flat results such as `per_type/<name>/f1` say of each name, sorted; what was not parsed is no class.

    Args:
        section: the first part, such as "per_type".
    """
    found: dict[str, dict[str, float]] = {}
    for key, value in scores.items():
        if key.startswith(f"{section}/"):
            # Names may have slashes of their own.
            name, _, measure = key.removeprefix(f"{section}/").rpartition("/")
            found.setdefault(name, {})[measure] = value
    return {
        name: NamedScore(
            100 * own["precision"],
            100 * own["recall"],
            100 * own["f1"],
            int(own["n_predictions"]),
            int(own["n_references"]),
        )
        for name, own in sorted(found.items())
        if name != UNPARSED
    }


def f1_charts(title: str, sections: Mapping[str, Mapping[str, NamedScore]]) -> list[Chart]:
    """F1 as bars; no chart where there is nothing to show."""
    bars = {section: {name: score.f1 for name, score in own.items()} for section, own in sections.items()}
    return [BarChart(title, "F1 (%)", bars)] if any(bars.values()) else []
