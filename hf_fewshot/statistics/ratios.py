"""Ratios of sums over units, such as micro F1 over episodes, and how far they vary with the units drawn."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

N_RESAMPLES = 5_000
# Numbers that a chunk of resamples may hold at once: 32 MB.
_CHUNK = 1 << 22


def ratio_of_sums(numerators: Sequence[float], denominators: Sequence[float]) -> float:
    """The sum of numerators over the sum of denominators; 0 where there is nothing to divide by, as in our metrics."""
    sums = unit_pairs(numerators, denominators).sum(axis=0)
    return float(ratio(sums[0], sums[1]))


def unit_pairs(numerators: Sequence[float], denominators: Sequence[float]) -> np.ndarray:
    """Numerators and denominators side by side, checked. Shape (n_units, 2)."""
    if len(numerators) != len(denominators):
        raise ValueError(f"{len(numerators)} numerators and {len(denominators)} denominators. Give one per unit each.")
    if not len(numerators):
        raise ValueError("Expected at least one unit, got none.")
    units = np.column_stack([np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)])
    if not np.isfinite(units).all() or (units[:, 1] < 0).any():
        unit = int(np.flatnonzero(~np.isfinite(units).all(axis=1) | (units[:, 1] < 0))[0])
        raise ValueError(
            f"Unit {unit} has the numerator {units[unit, 0]} and the denominator {units[unit, 1]}; expected finite "
            "numbers, and denominators of at least 0."
        )
    return units


def ratio(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Element by element, 0 where a denominator is 0."""
    return np.divide(numerators, denominators, out=np.zeros(np.shape(numerators)), where=denominators != 0)


def resampled_sums(units: np.ndarray, n_resamples: int, seed: int) -> np.ndarray:
    """Sums over units drawn with replacement. From (n_units, n_columns) to (n_resamples, n_columns)."""
    if len(units) < 2:
        raise ValueError(f"Resampling needs at least 2 units, got {len(units)}. Give more, or no interval.")
    # Equal units are one that is drawn more often: of tens of thousands of episodes with few queries, few are
    # distinct. Being sorted, they make the draw blind to the order of the units.
    distinct, repeats = np.unique(units, axis=0, return_counts=True)
    sizes = chunks(n_resamples, len(units))
    if len(units) >= 4 * len(distinct):
        rng = np.random.default_rng(seed)
        share = repeats / len(units)
        return np.concatenate([rng.multinomial(len(units), share, size=size) @ distinct for size in sizes])
    every = np.repeat(distinct, repeats, axis=0)
    if len(sizes) == 1:
        return _kept_draws(len(units), n_resamples, seed) @ every
    rng = np.random.default_rng(seed)
    return np.concatenate([_drawn(rng, len(units), size) @ every for size in sizes])


@lru_cache(maxsize=2)
def _kept_draws(n_units: int, n_resamples: int, seed: int) -> np.ndarray:
    """Draws that many systems share: those of a setting have as many units. Numbers that need no conversion."""
    return _drawn(np.random.default_rng(seed), n_units, n_resamples).astype(float)


def _drawn(rng: np.random.Generator, n_units: int, size: int) -> np.ndarray:
    """How often each unit is drawn in each resample; faster than drawing counts. Shape (size, n_units)."""
    drawn = rng.integers(0, n_units, (size, n_units))
    # One count over all resamples: each has places of its own.
    drawn += n_units * np.arange(size)[:, None]
    return np.bincount(drawn.ravel(), minlength=size * n_units).reshape(size, n_units)


def chunks(n_resamples: int, width: int) -> list[int]:
    """How many resamples of this many numbers to draw at a time, so that memory stays bounded."""
    if isinstance(n_resamples, bool) or not isinstance(n_resamples, int) or n_resamples < 1:
        raise ValueError(f"n_resamples must be a whole number of at least 1, but is {n_resamples!r}.")
    size = max(1, _CHUNK // width)
    return [min(size, n_resamples - start) for start in range(0, n_resamples, size)]


def percentile_interval(values: np.ndarray, confidence_level: float) -> tuple[float, float]:
    """The middle part of resampled values."""
    require_level(confidence_level)
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail]).tolist()
    return low, high


def require_level(confidence_level: float) -> None:
    """A confidence level lies between 0 and 1."""
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level={confidence_level!r} is no level. Give one between 0 and 1, such as 0.95.")
