import math

import numpy as np
import pytest
from scipy import stats

from hf_fewshot.analyses.ratio_difference import ratio_difference


def plain(first, second, clusters):
    """The same with loops over items and clusters."""
    ratios = [sum(n) / sum(d) for n, d in (first, second)]
    sums = {}
    for item, cluster in enumerate(clusters):
        value = 0.0
        for sign, ratio, (numerators, denominators) in zip((1, -1), ratios, (first, second), strict=True):
            value += sign * (numerators[item] - ratio * denominators[item]) / sum(denominators)
        sums[cluster] = sums.get(cluster, 0.0) + value
    n = len(sums)
    error = math.sqrt(n / (n - 1) * sum(value * value for value in sums.values()))
    return ratios, 2 * stats.t(n - 1).sf(abs(ratios[0] - ratios[1]) / error)


@pytest.mark.parametrize("seed", range(5))
def test_ratios_and_p_value_are_those_of_loops(seed):
    rng = np.random.default_rng(seed)
    parts = [(rng.random(60) * (weights := rng.random(60)), weights) for _ in range(2)]
    clusters = rng.integers(0, 12, 60)
    found = ratio_difference(*parts, clusters)
    ratios, p = plain(*parts, clusters)
    assert [found.first, found.second] == pytest.approx(ratios)
    assert found.p == pytest.approx(p)


def test_shares_of_independent_items_are_compared_as_two_proportions():
    """The unpooled test of two proportions, 30 of 100 against 45 of 100, but for the factor of a sample."""
    hits = np.array([1.0] * 30 + [0.0] * 70 + [1.0] * 45 + [0.0] * 55)
    part = np.array([1.0] * 100 + [0.0] * 100)
    found = ratio_difference((hits * part, part), (hits * (1 - part), 1 - part), np.arange(200))
    error = math.sqrt((0.3 * 0.7 / 100 + 0.45 * 0.55 / 100) * 200 / 199)
    assert (found.first, found.second) == (0.3, 0.45)
    assert found.p == pytest.approx(2 * stats.t(199).sf(0.15 / error))


def test_repeating_items_within_their_cluster_changes_nothing():
    rng = np.random.default_rng(0)
    hits, part = rng.integers(0, 2, 50).astype(float), rng.integers(0, 2, 50).astype(float)
    once = ratio_difference((hits * part, part), (hits * (1 - part), 1 - part), np.arange(50))
    hits, part, clusters = (np.repeat(one, 3) for one in (hits, part, np.arange(50)))
    assert ratio_difference((hits * part, part), (hits * (1 - part), 1 - part), clusters) == pytest.approx(once)


def test_where_nothing_varies_or_a_part_is_empty_there_is_no_p_value():
    ones, zeros = np.ones(4), np.zeros(4)
    assert ratio_difference((ones, ones), (zeros, zeros), np.arange(4)) == (1.0, None, None)
    assert ratio_difference((ones, ones), (ones, ones), np.arange(4)) == (1.0, 1.0, None)
    assert ratio_difference((zeros[:0],) * 2, (zeros[:0],) * 2, np.arange(0)) == (None, None, None)
