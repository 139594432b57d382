"""Pairs of systems of one setting, compared on the same episodes."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from hf_fewshot.entries import SEEDS
from hf_fewshot.statistics import Comparison, MedianComparison, compare, compare_medians
from hf_fewshot.statistics.record_units import repeats_of
from hf_fewshot.tables.interval_text import interval_text
from hf_fewshot.tables.measures import percent
from hf_fewshot.tables.settings import Setting, SystemRecords

Standing = Literal["best", "tied", "unknown", ""]
BEST: Standing = "best"
TIED: Standing = "tied"  # cannot be told apart from the best
UNKNOWN: Standing = "unknown"  # could not be compared with the best
WORSE: Standing = ""
# Behind scores, and what they mean.
MARKS: dict[Standing, str] = {TIED: "\N{ALMOST EQUAL TO}", UNKNOWN: "?"}
LEGEND = (
    "Bold is the best of our systems. What has \N{ALMOST EQUAL TO} cannot be told apart from it: the confidence "
    "interval of the paired difference on the same queries holds zero (of median models: p is at least 0.05). What "
    "has ? could not be compared with it, for want of the same seeds, draws or episodes."
)


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

    @property
    def standing(self) -> Standing:
        """Of the second system, where the first is the best: does the interval of their difference hold zero?

        Of median models, whether the test of the paper finds no difference.
        """
        if self.medians is not None:
            if self.medians.p_t is None:
                return TIED if self.medians.difference == 0 else UNKNOWN
            return WORSE if self.medians.is_significant else TIED
        found = self.comparison
        if found is None or found.low is None or found.high is None:
            return UNKNOWN
        if found.says_nothing:
            return TIED if found.difference == 0 else UNKNOWN
        return TIED if found.low <= 0 <= found.high else WORSE


@dataclass(frozen=True)
class Comparisons:
    """The systems of a setting against each other; each pair is compared once, when it is asked for."""

    setting: Setting
    _known: dict[tuple[str, str], Pair] = field(default_factory=dict)

    def of(self, first: SystemRecords, second: SystemRecords) -> Pair:
        """Two systems."""
        key = first.label, second.label
        if key not in self._known:
            self._known[key] = _pair(self.setting, first, second)
        return self._known[key]

    @property
    def pairs(self) -> list[Pair]:
        """All pairs of systems, the one with the higher score first."""
        ranked = sorted(self.setting.systems, key=lambda system: -system.summary.mean)
        return [self.of(*two) for two in combinations(ranked, 2)]

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """Of each system, by its label: is it the best, and if not, can it be told apart from the best?

        Where papers report median models, it is these that are ranked and compared.
        """
        if len(self.setting.systems) < 2:
            return {}
        best, *others = sorted(self.setting.systems, key=lambda one: -self.setting.reported(one).summary.mean)
        return {best.label: BEST, **{other.label: self.of(best, other).standing for other in others}}


def _pair(setting: Setting, first: SystemRecords, second: SystemRecords) -> Pair:
    pair = Pair(first.label, second.label, None)
    try:
        comparison = compare(first.records, second.records)
    except ValueError as error:
        pair = replace(pair, problem=str(error))
    else:
        over = () if comparison.says_nothing else setting.over(comparison.sources)
        pair = replace(pair, comparison=comparison, interval=interval_text(comparison, setting.units), over=over)
    if not setting.reports_median_model or {*map(repeats_of, (*first.records, *second.records))} != {SEEDS}:
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
