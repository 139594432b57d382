import numpy as np
import pytest
from scipy import stats

from hf_fewshot.statistics import ratios as module
from hf_fewshot.statistics.ratios import (
    N_RESAMPLES,
    percentile_interval,
    ratio,
    ratio_of_sums,
    resampled_sums,
    unit_pairs,
)


def bootstrap_interval(numerators, denominators, confidence_level=0.95, n_resamples=N_RESAMPLES, seed=0):
    """The percentile interval of a ratio of sums over units drawn with replacement."""
    sums = resampled_sums(unit_pairs(numerators, denominators), n_resamples, seed)
    return percentile_interval(ratio(sums[:, 0], sums[:, 1]), confidence_level)


def units(n, seed=0, largest=6):
    """Numbers of right ones and of all, in units of different size."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, largest + 1, n)
    return rng.binomial(sizes, rng.beta(2, 2, n)).astype(float), sizes.astype(float)


def test_a_ratio_is_of_sums_not_a_mean_of_ratios():
    assert ratio_of_sums([1, 0], [1, 3]) == 0.25


def test_nothing_to_divide_by_gives_nothing():
    assert ratio_of_sums([0, 0], [0, 0]) == 0.0
    assert bootstrap_interval([0, 0], [0, 0]) == (0.0, 0.0)
    # Two units, one of them empty: a quarter of the resamples has the empty one twice and counts as 0.
    assert bootstrap_interval([1, 0], [1, 0], confidence_level=0.9) == (0.0, 1.0)
    assert bootstrap_interval([1, 0], [1, 0], confidence_level=0.4) == (1.0, 1.0)


def test_units_that_are_all_alike_have_an_interval_of_no_width():
    assert bootstrap_interval([2] * 10, [4] * 10) == (0.5, 0.5)


@pytest.mark.parametrize("largest", [6, 1_000_000])  # many equal units, and none
def test_the_interval_is_that_of_scipy(largest):
    numerators, denominators = units(300, largest=largest)
    expected = stats.bootstrap(
        (numerators, denominators),
        lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=5_000,
        rng=np.random.default_rng(1),
    )
    low, high = bootstrap_interval(numerators, denominators)
    assert low == pytest.approx(expected.confidence_interval.low, abs=0.004)
    assert high == pytest.approx(expected.confidence_interval.high, abs=0.004)
    # The deviation of resampled ratios, from an interval of 68.27 percent.
    low, high = bootstrap_interval(numerators, denominators, confidence_level=0.6827)
    assert (high - low) / 2 == pytest.approx(expected.standard_error, rel=0.05)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    hits = 0
    for trial in range(300):
        rng = np.random.default_rng([7, trial])
        sizes = rng.integers(1, 6, 150)
        right = rng.binomial(sizes, rng.beta(3, 2, 150))  # 0.6 in the long run
        low, high = bootstrap_interval(right, sizes, n_resamples=400, confidence_level=0.9, seed=trial)
        hits += low <= 0.6 <= high
    assert 0.86 <= hits / 300 <= 0.94


def test_the_same_seed_gives_the_same_interval_in_any_order_of_units():
    numerators, denominators = units(100)
    first = bootstrap_interval(numerators, denominators, seed=3)
    assert first == bootstrap_interval(numerators, denominators, seed=3)
    assert first == bootstrap_interval(numerators[::-1], denominators[::-1], seed=3)
    assert first != bootstrap_interval(numerators, denominators, seed=4)


def test_chunks_keep_memory_bounded_and_change_nothing(monkeypatch):
    numerators, denominators = units(200, largest=1_000_000)
    whole = bootstrap_interval(numerators, denominators, n_resamples=500)
    monkeypatch.setattr(module, "_CHUNK", 1_000)
    assert module.chunks(12, 200) == [5, 5, 2]
    assert bootstrap_interval(numerators, denominators, n_resamples=500) == whole


def test_systems_with_as_many_units_share_their_draws():
    first, second = (unit_pairs(*units(150, seed=seed, largest=1_000_000)) for seed in (1, 2))
    alone = resampled_sums(second, 200, 0)
    module._kept_draws.cache_clear()
    sums = resampled_sums(first, 200, 0)
    assert resampled_sums(second, 200, 0).tolist() == alone.tolist()
    assert (module._kept_draws.cache_info().hits, module._kept_draws.cache_info().misses) == (1, 1)
    # Drawn one by one: 150 of the sorted units with replacement.
    drawn = np.random.default_rng(0).integers(0, 150, (200, 150))
    assert sums == pytest.approx(np.unique(first, axis=0)[drawn].sum(axis=1))


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match=r"2 numerators and 1 denominators. Give one per unit each"):
        bootstrap_interval([1, 2], [1])
    with pytest.raises(ValueError, match="Expected at least one unit, got none"):
        ratio_of_sums([], [])
    with pytest.raises(ValueError, match=r"Unit 1 has the numerator 1.0 and the denominator -1.0; expected finite"):
        ratio_of_sums([1, 1], [1, -1])
    with pytest.raises(ValueError, match="Resampling needs at least 2 units, got 1"):
        bootstrap_interval([1], [2])
    with pytest.raises(ValueError, match=r"confidence_level=95 is no level. Give one between 0 and 1"):
        bootstrap_interval([1, 2], [2, 2], confidence_level=95)
    with pytest.raises(ValueError, match="n_resamples must be a whole number of at least 1, but is 0"):
        bootstrap_interval([1, 2], [2, 2], n_resamples=0)
