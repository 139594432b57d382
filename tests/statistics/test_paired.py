import numpy as np
import pytest
from scipy import stats

from hf_fewshot.statistics.paired import contrasts, paired_t_test, resampled_means, swap_test
from hf_fewshot.statistics.ratios import N_RESAMPLES, percentile_interval, unit_pairs


def paired(first, second):
    """Two systems on the same units, of one repeat."""
    return np.stack([unit_pairs(*first), unit_pairs(*second)], axis=1)[:, None]


def p_of_swaps(first, second, alternative="two-sided", n_resamples=N_RESAMPLES):
    return swap_test(paired(first, second), alternative, n_resamples, seed=0)


def systems(n, seed=0, largest=6, ahead=0.1):
    """Two systems on the same units, the first one ahead."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, largest + 1, n)
    rate = rng.beta(2, 3, n)
    right = [rng.binomial(sizes, np.minimum(1, rate + more)) for more in (ahead, 0)]
    return [(one.astype(float), sizes.astype(float)) for one in right]


def difference(a, b, c, d, axis):
    return a.sum(axis=axis) / b.sum(axis=axis) - c.sum(axis=axis) / d.sum(axis=axis)


def test_the_difference_is_of_ratios_of_sums():
    assert contrasts(paired(([1, 2], [2, 2]), ([1, 0], [3, 1])).sum(axis=0)).tolist() == [0.75 - 0.25]


def test_the_paired_bootstrap_is_that_of_scipy():
    first, second = systems(200)
    expected = stats.bootstrap(
        (*first, *second),
        difference,
        paired=True,
        method="percentile",
        n_resamples=5_000,
        rng=np.random.default_rng(1),
    )
    low, high = percentile_interval(resampled_means(paired(first, second), 5_000, seed=0), 0.95)
    assert low == pytest.approx(expected.confidence_interval.low, abs=0.005)
    assert high == pytest.approx(expected.confidence_interval.high, abs=0.005)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [9, 40])
def test_the_permutation_test_is_that_of_scipy(n, alternative):
    rng = np.random.default_rng(n)
    first, second = rng.random(n) + 0.15, rng.random(n)
    ones = np.ones(n)
    # With denominators of one the statistic is a difference of means, which scipy can permute.
    expected = stats.permutation_test(
        (first, second),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=5_000 if n > 12 else np.inf,
        rng=np.random.default_rng(1),
    )
    p_value = p_of_swaps((first, ones), (second, ones), alternative)
    assert p_value == pytest.approx(expected.pvalue, abs=1e-12 if n == 9 else 0.02)


def test_few_units_are_swapped_in_all_ways():
    # The first is ahead in all three: of 8 swaps, the observed one and its mirror image are as large.
    assert p_of_swaps(([3, 2, 1], [4, 4, 4]), ([0, 0, 0], [4, 4, 4])) == 2 / 8
    assert p_of_swaps(([3, 2, 1], [4, 4, 4]), ([0, 0, 0], [4, 4, 4]), "greater") == 1 / 8
    assert p_of_swaps(([3, 2, 1], [4, 4, 4]), ([0, 0, 0], [4, 4, 4]), "less") == 1.0


def test_units_where_both_are_the_same_do_not_count():
    many = [1.0] * 500
    alike = p_of_swaps(([3, 2, 1, *many], [4] * 503), ([0, 0, 0, *many], [4] * 503))
    assert alike == 2 / 8
    assert p_of_swaps((many, many), (many, many)) == 1.0


def test_a_permutation_of_ratios_is_that_of_a_plain_loop():
    first, second = (tuple(np.round(part) for part in system) for system in systems(60, ahead=0.06))
    rng = np.random.default_rng(5)
    observed = difference(*first, *second, axis=0)
    hits = 0
    for _ in range(4_000):
        swap = rng.random(60) < 0.5
        a, b = (np.where(swap, y, x) for x, y in zip(first, second, strict=True))
        c, d = (np.where(swap, x, y) for x, y in zip(first, second, strict=True))
        hits += abs(difference(a, b, c, d, axis=0)) >= abs(observed) - 1e-12
    assert 0.01 < hits / 4_000 < 0.5
    assert p_of_swaps(first, second) == pytest.approx(hits / 4_000, abs=0.025)


def test_a_drawn_p_value_is_never_zero():
    first, second = systems(2_000, ahead=0.4)
    assert p_of_swaps(first, second, n_resamples=999) == 0.001


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_t_test_is_that_of_scipy(alternative):
    first, second = [0.31, 0.30, 0.29, 0.33, 0.28], [0.28, 0.29, 0.28, 0.30, 0.27]
    expected = stats.ttest_rel(first, second, alternative=alternative)
    assert paired_t_test(first, second, alternative=alternative) == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    ("ahead", "alternative", "p_value"),
    [(0.0, "two-sided", 1.0), (0.1, "two-sided", 0.0), (0.1, "less", 1.0), (0.1, "greater", 0.0)],
)
def test_differences_without_spread_are_certain(ahead, alternative, p_value):
    second = [0.3, 0.4, 0.5]
    assert paired_t_test([score + ahead for score in second], second, alternative=alternative) == p_value


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="the same repeats of both systems, at least 2, got 1 and 1 scores"):
        paired_t_test([0.5], [0.4])
    with pytest.raises(ValueError, match=r"Unknown alternative 'greate'. Did you mean 'greater'\?"):
        p_of_swaps(([1, 1], [1, 1]), ([1, 1], [1, 1]), "greate")
