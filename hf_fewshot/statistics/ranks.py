"""Places of systems in a ranking, as far as they can be told apart."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.comparisons import paired_difference
from hf_fewshot.statistics.intervals import has_no_width
from hf_fewshot.statistics.summaries import Summary


class Contender(NamedTuple):
    """A system in a ranking.

    Args:
        repeats: its records, by what tells them apart: those of two systems with the same keys are paired.
        summary: of its score.
    """

    repeats: Mapping[Hashable, Record]
    summary: Summary


class Lead(NamedTuple):
    """How far one system is ahead of another; fractions from -1 to 1.

    Args:
        difference: first minus second.
        low: lower end of the confidence interval of the difference; None where nothing can be said.
        high: upper end.
        is_paired: whether both were run with the same seeds on the same episodes; else the interval is that of two
            scores that were measured apart.
    """

    difference: float
    low: float | None
    high: float | None
    is_paired: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the first system is ahead at the level of the interval."""
        return self.low is not None and self.low > 0


class Places(NamedTuple):
    """The best and the worst place that a system may have, from 1."""

    first: int
    last: int


def places(systems: Sequence[Contender]) -> list[Places]:
    """The places of systems of one setting, in their order: above it stand those that are certainly ahead of it.

    No correction for the number of comparisons is made.
    """
    ahead = [0] * len(systems)
    behind = [0] * len(systems)
    order = sorted(range(len(systems)), key=lambda number: -systems[number].summary.mean)
    for place, better in enumerate(order):
        for worse in order[place + 1 :]:
            one, other = systems[better], systems[worse]
            # Where intervals do not even touch, the one of the difference is not asked for.
            if _apart(one.summary, other.summary) or lead(one, other).is_certain:
                ahead[worse] += 1
                behind[better] += 1
    return [Places(1 + above, len(systems) - below) for above, below in zip(ahead, behind, strict=True)]


def lead(first: Contender, second: Contender) -> Lead:
    """How far the first system is ahead: paired where both were run with the same seeds on the same episodes."""
    try:
        found = paired_difference(first.repeats, second.repeats)
    except ValueError:
        return _unpaired(first.summary, second.summary)
    if has_no_width(found.low, found.high):
        return Lead(found.difference, None, None, is_paired=True)
    return Lead(found.difference, found.low, found.high, is_paired=True)


def _apart(better: Summary, worse: Summary) -> bool:
    if better.low is None or worse.high is None or better.says_nothing or worse.says_nothing:
        return False
    return better.low > worse.high


def _unpaired(first: Summary, second: Summary) -> Lead:
    """The interval of a difference from those of its two parts (squares of their halves are added, side by side)."""
    difference = first.mean - second.mean
    ends = first.low, first.high, second.low, second.high
    if None in ends or first.says_nothing or second.says_nothing:
        return Lead(difference, None, None)
    low, high, others_low, others_high = (float(one) for one in ends if one is not None)
    below = math.hypot(first.mean - low, others_high - second.mean)
    above = math.hypot(high - first.mean, second.mean - others_low)
    return Lead(difference, difference - below, difference + above)
