"""The comparison of two systems that were run on the same episodes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.intervals import SEED, has_no_width, mean_interval
from hf_fewshot.statistics.paired import contrasts, paired_t_test, require_alternative, swap_test
from hf_fewshot.statistics.ratios import N_RESAMPLES
from hf_fewshot.statistics.record_units import by_repeat, draw_of, fingerprint, named_draw, side_by_side, units_of


@dataclass(frozen=True)
class Comparison:
    """How far the first system is ahead of the second, in the main measure; fractions from -1 to 1.

    Args:
        measure: its name.
        first: name of the first system.
        second: name of the second system.
        n: number of pairs of records.
        difference: mean over pairs of first minus second.
        low: lower end of the confidence interval of the difference; None where nothing can be said.
        high: upper end.
        confidence_level: of the interval.
        sources: what the interval accounts for: "units", "seeds", "draws".
        p_permutation: of the paired permutation test over units; these models on new units.
        p_t: of the paired t-test over pairs of records; None of one pair, and of pairs that all differ alike.
        alternative: of both p-values: "two-sided", "greater" (first is better) or "less".
        n_units: number of different units.
    """

    measure: str
    first: str
    second: str
    n: int
    difference: float
    low: float | None
    high: float | None
    confidence_level: float
    sources: tuple[str, ...]
    p_permutation: float
    p_t: float | None
    alternative: str
    n_units: int

    @property
    def says_nothing(self) -> bool:
        """Whether the interval has no width, since the systems differ alike in all units."""
        return has_no_width(self.low, self.high)


def compare(
    first: Sequence[Record] | str | Path,
    second: Sequence[Record] | str | Path,
    *,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> Comparison:
    """Compares two systems that were run with the same seeds on the same draws.

    The interval is made like that of `summary`, from paired differences: of one pair the paired bootstrap over units,
    of several with what seeds, draws and units add. The permutation test swaps the systems in each unit, in all pairs
    that share the unit at once: it asks whether these trained models differ on other units. The t-test asks whether
    the methods differ when all is drawn again that differs between the pairs; Few-Shot TACRED has it one-tailed
    (`alternative="greater"`), at 0.05, over five episode sets.

    Args:
        first: records of one system in one setting, or where they are: a folder, or a repository (see `read_records`).
        second: those of the other one.
        alternative: "two-sided", "greater" (first is better) or "less".
        confidence_level: of the interval.
    """
    require_alternative(alternative)
    found = paired_difference(by_repeat(_records(first)), by_repeat(_records(second)), confidence_level)
    pairs, units = found.pairs, found.units
    scores = np.array([[one.score, other.score] for one, other in pairs])
    p_t = None
    if np.ptp(scores[:, 0] - scores[:, 1]) > 1e-12:  # else seeds that change nothing would make a difference certain
        p_t = paired_t_test(scores[:, 0].tolist(), scores[:, 1].tolist(), alternative=alternative)
    return Comparison(
        measure=pairs[0][0].measure,
        first=pairs[0][0].run.system,
        second=pairs[0][1].run.system,
        n=len(pairs),
        difference=found.difference,
        low=found.low,
        high=found.high,
        confidence_level=confidence_level,
        sources=found.sources,
        p_permutation=swap_test(units, alternative, N_RESAMPLES, SEED),
        p_t=p_t,
        alternative=alternative,
        n_units=len(units),
    )


class PairedDifference(NamedTuple):
    """How far one system is ahead of another in pairs of records, without tests.

    Args:
        pairs: of records, with the same seed and draw.
        units: shape (n_units, n_pairs, 2, numerator and denominator).
        difference: mean over pairs of first minus second.
        low: lower end of its confidence interval; None where nothing can be said.
        high: upper end.
        sources: what the interval accounts for.
    """

    pairs: list[tuple[Record, Record]]
    units: np.ndarray
    difference: float
    low: float | None
    high: float | None
    sources: tuple[str, ...]


def paired_difference(
    first: Mapping[Hashable, Record], second: Mapping[Hashable, Record], confidence_level: float = 0.95
) -> PairedDifference:
    """The difference of two systems and its interval, from records with the same keys, such as seeds and draws."""
    pairs = matched(first, second)
    ours = [one for one, _ in pairs]
    together = [np.stack([units_of(one), units_of(other)], axis=1) for one, other in pairs]
    blocks, shared = side_by_side(ours, together)
    low, high, sources = mean_interval(
        blocks,
        seeds=[record.run.seed for record in ours],
        draws=[draw_of(record) for record in ours],
        shared_units=shared,
        confidence_level=confidence_level,
    )
    units = np.stack(blocks, axis=1) if shared else _apart(blocks)
    return PairedDifference(
        pairs,
        units,
        float(contrasts(units.sum(axis=0))[0]),
        None if low is None else max(-1.0, low),
        None if high is None else min(1.0, high),
        sources,
    )


def _records(given: Sequence[Record] | str | Path) -> Sequence[Record]:
    return read_records(given) if isinstance(given, str | Path) else given


def matched(ones: Mapping[Hashable, Record], others: Mapping[Hashable, Record]) -> list[tuple[Record, Record]]:
    """Records of two systems in pairs, by their keys; all that keeps them from being compared is an error."""
    one, other = next(iter(ones.values())), next(iter(others.values()))
    names = f"{one.run.system} and {other.run.system}"
    for what, here, there in (
        ("setting", one.run.setting, other.run.setting),
        ("measure", one.measure, other.measure),
        ("unit", one.unit, other.unit),
    ):
        if here != there:
            raise ValueError(
                f"{names} cannot be compared: their {what} is {here!r} and {there!r}. Compare records of one setting."
            )
    alone = [named_draw({**ones, **others}[key]) for key in [*ones, *others] if key not in ones or key not in others]
    if alone:
        raise ValueError(
            f"{names} must have the same seeds and draws, but only one of them has {'; '.join(alone)}. "
            "Run the other one too, or leave these out."
        )
    pairs = [(ones[key], others[key]) for key in ones]
    for ours, theirs in pairs:
        if fingerprint(ours) != fingerprint(theirs) or ours.units != theirs.units:
            raise ValueError(
                f"{names} were not run on the same episodes ({named_draw(ours)}): fingerprints {fingerprint(ours)} "
                f"and {fingerprint(theirs)}, {len(ours.units)} and {len(theirs.units)} units. Run both on the same."
            )
    return pairs


def _apart(blocks: Sequence[np.ndarray]) -> np.ndarray:
    """Units of pairs with units of their own, one after the other: each counts in its own pair only."""
    units = np.zeros((sum(map(len, blocks)), len(blocks), 2, 2))
    start = 0
    for number, block in enumerate(blocks):
        units[start : start + len(block), number] = block
        start += len(block)
    return units
