"""The difference of two ratios of sums, with a test that knows what was drawn together."""

from typing import NamedTuple

import numpy as np
from scipy import stats


class Difference(NamedTuple):
    """Two ratios, and the two-sided p-value of their difference; None where nothing varies or is there."""

    first: float | None
    second: float | None
    p: float | None


def ratio_difference(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray], clusters: np.ndarray
) -> Difference:
    """Compares `sum(numerators) / sum(denominators)` of two parts of the same items.

    A share, a mean and a weighted recall are such ratios. The variance is that of the sums over clusters, linearised:
    with residuals e = (numerator - ratio * denominator) / sum(denominators), summed per cluster, the first part's
    minus the second's, it is C / (C - 1) * sum(e ** 2). Items of one cluster may depend on each other in any way; the
    p-value is that of Student's t with C - 1 degrees of freedom.

    Args:
        first: numerators and denominators of all items (n,); 0 for those that are not of this part.
        second: the same of the other part.
        clusters: the number of the cluster of each item (n,).
    """
    ratios: list[float | None] = []
    residual = np.zeros(len(clusters))
    for sign, (numerators, denominators) in ((1, first), (-1, second)):
        total = denominators.sum()
        ratios.append(float(numerators.sum() / total) if total else None)
        if total:
            residual += sign * (numerators - numerators.sum() / total * denominators) / total
    one, other = ratios
    _, numbers = np.unique(clusters, return_inverse=True)
    n_clusters = int(numbers.max()) + 1 if len(numbers) else 0
    if one is None or other is None or n_clusters < 2:
        return Difference(one, other, None)
    sums = np.bincount(numbers, residual)
    variance = n_clusters / (n_clusters - 1) * float((sums**2).sum())
    if variance <= 0:
        return Difference(one, other, None)
    t = abs(one - other) / variance**0.5
    return Difference(one, other, float(2 * stats.t.sf(t, n_clusters - 1)))
