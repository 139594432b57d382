import dataclasses

import numpy as np
import pytest
from scipy import stats

from hf_fewshot.statistics import compare
from hf_fewshot.statistics.paired import resampled_means
from hf_fewshot.statistics.ratios import N_RESAMPLES, percentile_interval, unit_pairs

FIRST, SECOND = [5, 7, 6, 8, 9, 4], [4, 7, 5, 6, 8, 4]


def test_one_pair_has_the_paired_bootstrap_and_the_permutation_test(make_record):
    one, other = make_record(FIRST), make_record(SECOND, system="B")
    found = compare([one], [other])
    assert (found.first, found.second, found.n, found.measure) == ("A", "B", 1, "accuracy")
    assert found.difference == pytest.approx(5 / 60)
    units = np.stack([unit_pairs(record.numerators, record.denominators) for record in (one, other)], axis=1)
    differences = resampled_means(units[:, None], N_RESAMPLES, seed=0)
    assert (found.low, found.high) == percentile_interval(differences, 0.95)
    # Ahead in four units, by 1, 1, 2, 1, and the same in two: of 16 swaps two are as large.
    assert found.p_permutation == 2 / 16
    assert (found.p_t, found.sources, found.alternative) == (None, ("units",), "two-sided")


def test_the_difference_turns_round_with_the_systems(make_record):
    one, other = make_record(FIRST), make_record(SECOND, system="B")
    there, back = compare([one], [other]), compare([other], [one])
    assert (back.difference, back.low, back.high) == pytest.approx(
        (-there.difference, -there.high, -there.low), abs=0.01
    )
    assert compare([one], [other], alternative="greater").p_permutation == 1 / 16
    assert compare([other], [one], alternative="less").p_permutation == 1 / 16


def test_a_system_is_no_better_than_itself(make_record):
    found = compare([make_record(FIRST)], [make_record(FIRST)])
    assert (found.difference, found.low, found.high, found.p_permutation) == (0.0, 0.0, 0.0, 1.0)


def test_five_episode_sets_have_a_one_tailed_t_test(make_record):
    rng = np.random.default_rng(3)
    rights = [rng.binomial(10, rate, (5, 40)) for rate in (0.5, 0.45)]
    ones, others = (
        [
            make_record(right, system=name, fingerprint=f"f{draw}", data={"seed": draw})
            for draw, right in enumerate(by_draw)
        ]
        for name, by_draw in zip("AB", rights, strict=True)
    )
    found = compare(ones, others[::-1], alternative="greater")
    scores = [by_draw.mean(axis=1) / 10 for by_draw in rights]
    assert found.n == 5
    assert found.p_t == pytest.approx(stats.ttest_rel(*scores, alternative="greater").pvalue)
    assert (found.low, found.high) == pytest.approx(stats.ttest_rel(*scores).confidence_interval(0.95))
    assert found.sources == ("draws",)
    # With denominators of one size, swapping within all 200 units is a permutation of differences of means.
    expected = stats.permutation_test(
        [by_draw.ravel() / 10 for by_draw in rights],
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="samples",
        alternative="greater",
        n_resamples=5_000,
        rng=np.random.default_rng(1),
    )
    assert found.p_permutation == pytest.approx(expected.pvalue, abs=0.01)


def test_seeds_on_the_same_units_swap_a_unit_in_all_of_them_at_once(make_record):
    ones = [make_record([6, 6, 6], seed=seed) for seed in range(4)]
    others = [make_record([4, 5, 5], seed=seed, system="B") for seed in range(4)]
    found = compare(ones, others)
    # Three units, not twelve: 8 swaps, two of them as large.
    assert (found.n, found.p_permutation) == (4, 2 / 8)
    assert found.sources == ("seeds", "units")
    assert found.difference == pytest.approx(4 / 30)
    assert found.low < found.difference < found.high


def test_seeds_that_change_nothing_do_not_make_a_difference_certain(make_record):
    ones = [make_record([6, 6, 6], seed=seed) for seed in range(4)]
    others = [make_record([4, 5, 5], seed=seed, system="B") for seed in range(4)]
    assert compare(ones, others).p_t is None
    others[0] = make_record([4, 5, 6], system="B")
    assert compare(ones, others).p_t == pytest.approx(
        stats.ttest_rel([0.6] * 4, [0.5, 14 / 30, 14 / 30, 14 / 30]).pvalue
    )


def test_records_that_cannot_be_paired_are_refused(make_record):
    one = make_record(FIRST)
    with pytest.raises(
        ValueError, match=r"A and B must have the same seeds and draws, but only one of them has seed 1"
    ):
        compare([one, make_record(FIRST, seed=1)], [make_record(SECOND, system="B")])
    with pytest.raises(
        ValueError, match=r"not run on the same episodes \(seed 0\): fingerprints f and g, 6 and 6 units"
    ):
        compare([one], [make_record(SECOND, system="B", fingerprint="g")])
    with pytest.raises(ValueError, match=r"not run on the same episodes .* 6 and 3 units. Run both on the same"):
        compare([one], [make_record([1, 2, 3], system="B")])
    renamed = make_record(SECOND, system="B", units=list("abcdef"))
    with pytest.raises(ValueError, match="not run on the same episodes"):
        compare([one], [renamed])
    with pytest.raises(ValueError, match=r"their setting is .*''\) and .*'shots=5'\). Compare records of one setting"):
        compare([one], [make_record(SECOND, system="B", data={"shots": 5})])
    other = make_record(SECOND, system="B")
    with pytest.raises(ValueError, match="their measure is 'accuracy' and 'f1'"):
        compare([one], [dataclasses.replace(other, measure="f1", scores={"f1": other.score})])
    with pytest.raises(ValueError, match="Unknown alternative 'both'"):
        compare([one], [other], alternative="both")


def test_systems_that_differ_alike_in_all_units_have_an_interval_that_says_nothing(make_record):
    found = compare([make_record([10, 10])], [make_record([0, 0], system="B")])
    assert (found.difference, found.low, found.high, found.n_units) == (1.0, 1.0, 1.0, 2)
    assert found.says_nothing
    assert not compare([make_record(FIRST)], [make_record(SECOND, system="B")]).says_nothing
