"""Tests of two systems on the same units or with the same repeats."""

import math
from collections.abc import Sequence

import numpy as np

from hf_fewshot.registry import unknown
from hf_fewshot.statistics.ratios import (
    chunks,
    ratio,
    resampled_sums,
)
from hf_fewshot.statistics.repeats import mean_and_std

ALTERNATIVES = ("two-sided", "greater", "less")


def paired_t_test(first: Sequence[float], second: Sequence[float], *, alternative: str = "two-sided") -> float:
    """The p-value of Student's t-test over repeats, such as the five episode sets of Few-Shot TACRED ("greater").

    Differences without any spread have a p-value of 0 or 1.
    """
    # The whole of scipy.stats takes a second to import.
    from scipy.special import stdtr

    require_alternative(alternative)
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(
            f"A paired t-test needs the same repeats of both systems, at least 2, got {len(first)} and {len(second)} "
            "scores. Run the missing ones."
        )
    mean, std = mean_and_std([a - b for a, b in zip(first, second, strict=True)])
    if not std or std < 1e-12:  # rounding of equal differences
        agrees = {"greater": mean > 0, "less": mean < 0, "two-sided": mean != 0}[alternative]
        return 0.0 if agrees else 1.0
    freedom = len(first) - 1
    t = mean / (std / math.sqrt(len(first)))
    tails = {"greater": stdtr(freedom, -t), "less": stdtr(freedom, t), "two-sided": 2 * stdtr(freedom, -abs(t))}
    return float(tails[alternative])


def require_alternative(alternative: str) -> None:
    """An alternative is one of those that both tests know."""
    if alternative not in ALTERNATIVES:
        raise unknown("alternative", alternative, ALTERNATIVES)


def contrasts(sums: np.ndarray) -> np.ndarray:
    """Ratios of one system, or differences of two, averaged over repeats.

    From (..., n_repeats, n_systems, numerator and denominator) to (...,); a single result has shape (1,).
    """
    ratios = ratio(sums[..., 0], sums[..., 1])
    values = ratios[..., 0] - ratios[..., 1] if ratios.shape[-1] == 2 else ratios[..., 0]
    return np.atleast_1d(values.mean(axis=-1))


def resampled_means(units: np.ndarray, n_resamples: int, seed: int) -> np.ndarray:
    """Contrasts of units drawn with replacement. From (n_units, n_repeats, n_systems, 2) to (n_resamples,)."""
    sums = resampled_sums(units.reshape(len(units), -1), n_resamples, seed)
    return contrasts(sums.reshape(n_resamples, *units.shape[1:]))


def swap_test(units: np.ndarray, alternative: str, n_resamples: int, seed: int) -> float:
    """The p-value of a permutation test: how often is the difference as large where results on a unit are swapped?

    All swaps are tried where there are at most `n_resamples` of them (the nine domains of FewJoint have 512), else as
    many are drawn, and one is added to the counts, so that a p-value is never 0. `units`: (n_units, n_repeats, 2, 2).
    """
    require_alternative(alternative)
    sums = units.sum(axis=0)
    # A swap moves what the second system has more of to the first. Units where both have the same change nothing.
    moves = (units[:, :, 1] - units[:, :, 0]).reshape(len(units), -1)
    moves = moves[moves.any(axis=1)]
    exact = len(moves) < 64 and 2 ** len(moves) <= n_resamples
    if not len(moves):
        return 1.0
    if exact:
        swapped = (np.arange(2 ** len(moves))[:, None] >> np.arange(len(moves))) & 1
        shifts = swapped @ moves
    else:
        shifts = _drawn_shifts(moves, n_resamples, seed)
    shifts = shifts.reshape(len(shifts), *sums[:, 0].shape)
    differences = contrasts(np.stack([sums[:, 0] + shifts, sums[:, 1] - shifts], axis=-2))
    observed = contrasts(sums)[0]
    slack = 1e-12  # sums in another order
    as_large = {
        "greater": differences >= observed - slack,
        "less": differences <= observed + slack,
        "two-sided": np.abs(differences) >= abs(observed) - slack,
    }[alternative]
    # All swaps hold the observed one; of drawn ones it is one more.
    return float(np.mean(as_large)) if exact else float((1 + np.sum(as_large)) / (1 + n_resamples))


def _drawn_shifts(moves: np.ndarray, n_resamples: int, seed: int) -> np.ndarray:
    """What random swaps move, in sum. From (n_units, n_columns) to (n_resamples, n_columns)."""
    distinct, repeats = np.unique(moves, axis=0, return_counts=True)
    several = repeats > 1
    rng = np.random.default_rng(seed)
    shifts = []
    for size in chunks(n_resamples, len(distinct)):
        swaps = rng.integers(0, 2, size=(size, len(distinct)))
        swaps[:, several] = rng.binomial(repeats[several], 0.5, size=(size, int(several.sum())))
        shifts.append(swaps @ distinct)
    return np.concatenate(shifts)
