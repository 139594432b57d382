"""Pairs of systems of one setting, compared on the same episodes."""

from dataclasses import dataclass, replace
from itertools import combinations

from hf_fewshot.statistics import Comparison, MedianComparison, compare, compare_medians
from hf_fewshot.tables.interval_text import interval_text
from hf_fewshot.tables.measures import percent
from hf_fewshot.tables.settings import Setting, SystemRecords


@dataclass(frozen=True)
class Pair:
    """Two systems, and how far the first is ahead, or why that cannot be said.

    Args:
        interval: the confidence interval of the difference as text, or why it says nothing.
        over: what the interval accounts for.
        medians: of their median models over draws, one-tailed, where papers report these.
        median_problem: why that cannot be said.
    """

    first: str
    second: str
    comparison: Comparison | None
    interval: str = ""
    over: tuple[str, ...] = ()
    problem: str = ""
    medians: MedianComparison | None = None
    median_problem: str = ""

    @property
    def difference(self) -> float | None:
        """In percentage points."""
        return None if self.comparison is None else percent(self.comparison.difference)

    @property
    def median_difference(self) -> float | None:
        """In percentage points."""
        return None if self.medians is None else percent(self.medians.difference)


def pairs(setting: Setting) -> list[Pair]:
    """All pairs of systems, the one with the higher score first."""
    ranked = sorted(setting.systems, key=lambda system: -system.summary.mean)
    return [_pair(setting, *two) for two in combinations(ranked, 2)]


def _pair(setting: Setting, first: SystemRecords, second: SystemRecords) -> Pair:
    pair = Pair(first.label, second.label, None)
    try:
        comparison = compare(first.records, second.records)
    except ValueError as error:
        pair = replace(pair, problem=str(error))
    else:
        over = () if comparison.says_nothing else setting.over(comparison.sources)
        pair = replace(pair, comparison=comparison, interval=interval_text(comparison, setting.units), over=over)
    if not setting.reports_median_model:
        return pair
    try:
        return replace(pair, medians=compare_medians(first.records, second.records))
    except ValueError as error:
        return replace(pair, median_problem=str(error))


def shown_p(value: float | None) -> str:
    """A p-value as tables show it."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
