"""Pairs of systems of one setting, compared on the same episodes."""

from dataclasses import dataclass
from itertools import combinations

from hf_fewshot.report.measures import percent, shown
from hf_fewshot.report.settings import Setting
from hf_fewshot.statistics import Comparison, compare


@dataclass(frozen=True)
class Pair:
    """Two systems, and how far the first is ahead, or why that cannot be said."""

    first: str
    second: str
    comparison: Comparison | None
    over: tuple[str, ...] = ()
    problem: str = ""

    @property
    def difference(self) -> float | None:
        """In percentage points."""
        return None if self.comparison is None else percent(self.comparison.difference)

    @property
    def interval(self) -> str:
        """The confidence interval of the difference as text; nothing where there is none."""
        found = self.comparison
        if found is None or found.low is None or found.high is None:
            return ""
        return f"{shown(percent(found.low))} to {shown(percent(found.high))}"


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
            found.append(Pair(first.label, second.label, comparison, setting.over(comparison.sources)))
    return found


def shown_p(value: float | None) -> str:
    """A p-value as tables show it."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
