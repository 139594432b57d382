"""The comparison of two systems that were run on the same episodes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hf_fewshot.entries import SEEDS
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.intervals import SEED, has_no_width, mean_interval
from hf_fewshot.statistics.paired import contrasts, paired_t_test, require_alternative, swap_test
from hf_fewshot.statistics.ratios import N_RESAMPLES
from hf_fewshot.statistics.record_units import (
    by_repeat,
    draw_of,
    fingerprint,
    named_draw,
    repeats_of,
    side_by_side,
    units_of,
)


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
        sources: what the interval accounts for: "units", "seeds", "annotators", "draws".
        p_permutation: of the paired permutation test over units; these models on new units.
        p_t: of the paired t-test over pairs of records; None of one pair, of people, and where all pairs differ alike.
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
    """Compares two systems that were run with the same seeds on the same draws; people with all seeds of the other.

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
    # Not where records are in several pairs, nor where seeds that change nothing would make a difference certain.
    if found.are_apart and np.ptp(scores[:, 0] - scores[:, 1]) > 1e-12:
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
        are_apart: whether each record is in one pair only.
    """

    pairs: list[tuple[Record, Record]]
    units: np.ndarray
    difference: float
    low: float | None
    high: float | None
    sources: tuple[str, ...]
    are_apart: bool = True


def paired_difference(
    first: Mapping[Hashable, Record], second: Mapping[Hashable, Record], confidence_level: float = 0.95
) -> PairedDifference:
    """The difference of two systems and its interval, from records with the same keys, such as seeds and draws."""
    pairs, repeats = _pairs(first, second)
    ours = [one for one, _ in pairs]
    together = [np.stack([units_of(one), units_of(other)], axis=1) for one, other in pairs]
    blocks, shared = side_by_side(ours, together)
    low, high, sources = mean_interval(
        blocks,
        repeats={**repeats, "draws": [draw_of(record) for record in ours]},
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
        are_apart=set(repeats) == {SEEDS},
    )


def _pairs(
    ones: Mapping[Hashable, Record], others: Mapping[Hashable, Record]
) -> tuple[list[tuple[Record, Record]], dict[str, list[Hashable]]]:
    """Records of two systems in pairs, and what those pairs differ in beside the draws.

    Numbers of annotators are no seeds: of people every record is paired with every one of the other system.
    """
    kinds = [repeats_of(next(iter(records.values()))) for records in (ones, others)]
    if kinds == [SEEDS, SEEDS]:
        pairs = matched(ones, others)
        return pairs, {SEEDS: [one.run.seed for one, _ in pairs]}
    pairs = crossed(ones, others)
    names = kinds if kinds[0] != kinds[1] else [kinds[0], f"other {kinds[1]}"]
    return pairs, {name: [pair[place].run.seed for pair in pairs] for place, name in enumerate(names)}


def _records(given: Sequence[Record] | str | Path) -> Sequence[Record]:
    return read_records(given) if isinstance(given, str | Path) else given


def matched(ones: Mapping[Hashable, Record], others: Mapping[Hashable, Record]) -> list[tuple[Record, Record]]:
    """Records of two systems in pairs, by their keys; all that keeps them from being compared is an error."""
    names = _require_alike(ones, others)
    alone = [named_draw({**ones, **others}[key]) for key in [*ones, *others] if key not in ones or key not in others]
    if alone:
        raise ValueError(
            f"{names} must have the same seeds and draws, but only one of them has {'; '.join(alone)}. "
            "Run the other one too, or leave these out."
        )
    pairs = [(ones[key], others[key]) for key in ones]
    _require_same_episodes(names, pairs)
    return pairs


def crossed(ones: Mapping[Hashable, Record], others: Mapping[Hashable, Record]) -> list[tuple[Record, Record]]:
    """Every record of one system with every one of the other on the same draw; the draws must be the same."""
    names = _require_alike(ones, others)
    draws = [{draw_of(record): named_draw(record) for record in records.values()} for records in (ones, others)]
    alone = [words for own, other in (draws, draws[::-1]) for draw, words in own.items() if draw not in other]
    if alone:
        raise ValueError(
            f"{names} must have the same draws, but only one of them has that of {'; '.join(alone)}. Run or ask the "
            "other one too, or leave these out."
        )
    pairs = [(one, other) for one in ones.values() for other in others.values() if draw_of(one) == draw_of(other)]
    _require_same_episodes(names, pairs)
    return pairs


def _require_alike(ones: Mapping[Hashable, Record], others: Mapping[Hashable, Record]) -> str:
    """Refuses records of different settings or measures; the names of both systems."""
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
    return names


def _require_same_episodes(names: str, pairs: Sequence[tuple[Record, Record]]) -> None:
    for ours, theirs in pairs:
        if fingerprint(ours) != fingerprint(theirs) or ours.units != theirs.units:
            raise ValueError(
                f"{names} were not run on the same episodes ({named_draw(ours)}): fingerprints {fingerprint(ours)} "
                f"and {fingerprint(theirs)}, {len(ours.units)} and {len(theirs.units)} units. Run both on the same."
            )


def _apart(blocks: Sequence[np.ndarray]) -> np.ndarray:
    """Units of pairs with units of their own, one after the other: each counts in its own pair only."""
    units = np.zeros((sum(map(len, blocks)), len(blocks), 2, 2))
    start = 0
    for number, block in enumerate(blocks):
        units[start : start + len(block), number] = block
        start += len(block)
    return units
