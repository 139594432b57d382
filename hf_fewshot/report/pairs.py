"""Pairs of systems of one setting, compared on the same episodes."""

from dataclasses import dataclass
from itertools import combinations

from hf_fewshot.statistics import Comparison, compare
from hf_fewshot.tables.interval_text import interval_text
from hf_fewshot.tables.measures import percent
from hf_fewshot.tables.settings import Setting


@dataclass(frozen=True)
class Pair:
    """Two systems, and how far the first is ahead, or why that cannot be said.

    Args:
        interval: the confidence interval of the difference as text, or why it says nothing.
        over: what the interval accounts for.
    """

    first: str
    second: str
    comparison: Comparison | None
    interval: str = ""
    over: tuple[str, ...] = ()
    problem: str = ""

    @property
    def difference(self) -> float | None:
        """In percentage points."""
        return None if self.comparison is None else percent(self.comparison.difference)


def pairs(setting: Setting) -> list[Pair]:
    """All pairs of systems, the one with the higher score first."""
    ranked = sorted(setting.systems, key=lambda system: -system.summary.mean)
    found = []
    for first, second in combinations(ranked, 2):
        try:
            comparison = compare(first.records, second.records)
        except ValueError as error:
            found.append(Pair(first.label, second.label, None, problem=str(error)))
        else:
            over = () if comparison.says_nothing else setting.over(comparison.sources)
            found.append(Pair(first.label, second.label, comparison, interval_text(comparison, setting.units), over))
    return found


def shown_p(value: float | None) -> str:
    """A p-value as tables show it."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
