import math
from dataclasses import replace

import numpy as np
import pytest

from hf_fewshot.statistics import compare_medians, median_of, summary


@pytest.fixture
def cell(make_record):
    """The records of a system from the number right in each unit, shape (n_models, n_draws, n_units)."""

    def make(right, system="A"):
        return [
            make_record(units, system=system, seed=seed, fingerprint=f"f{draw}", data={"test_seed": 160290 + draw})
            for seed, draws in enumerate(right)
            for draw, units in enumerate(draws)
        ]

    return make


@pytest.mark.parametrize("n_models", [1, 2, 3, 4, 5])
def test_the_median_model_and_its_spread_over_draws_are_those_of_plain_numpy(cell, n_models):
    right = np.random.default_rng(n_models).integers(0, 11, (n_models, 5, 30))
    found = median_of(cell(right.tolist()))
    scores = right.sum(axis=2) / 300  # (models, draws)
    # Of an even number the lower one of the middle two.
    middle = np.argsort(scores.mean(axis=1), kind="stable")[(n_models - 1) // 2]
    assert (found.seed, found.n_models, len(found.records)) == (middle, n_models, 5)
    summed = summary(found.records)
    assert summed.mean == pytest.approx(scores[middle].mean())
    assert summed.std == pytest.approx(scores[middle].std(ddof=1))
    assert summed.sources == ("draws",)


def test_the_deviation_over_draws_is_not_that_over_all_runs(cell):
    # Models that are all the same on all draws, but far from each other.
    right = [[[rate] * 4] * 5 for rate in (1, 3, 5, 7, 9)]
    records = cell(right)
    found = median_of(records)
    assert found.seed == 2
    assert (summary(found.records).mean, summary(found.records).std) == (0.5, 0.0)
    assert summary(records).std > 0.25


def test_the_order_of_records_does_not_matter(cell):
    records = cell(np.random.default_rng(0).integers(0, 11, (4, 3, 20)).tolist())
    shuffled = [records[place] for place in np.random.default_rng(1).permutation(len(records))]
    assert {one.run.name for one in median_of(shuffled).records} == {
        one.run.name for one in median_of(records).records
    }


def test_models_on_different_draws_are_not_ranked(cell):
    records = cell([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    with pytest.raises(ValueError, match=r"A: models must be scored on the same draws .* Run the missing ones"):
        median_of(records[:-1])


def test_a_seed_that_was_trained_anew_for_each_draw_is_not_one_model(cell):
    records = cell([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    same = {"data": [{"part": "training episodes", "content": "x"}, {"part": "episodes", "content": "f0"}]}
    other = {"data": [{"part": "training episodes", "content": "y"}, {"part": "episodes", "content": "f1"}]}
    with pytest.raises(ValueError, match="A: seed 0 was trained on other data in each draw"):
        median_of([replace(records[0], depends_on=same), replace(records[1], depends_on=other), *records[2:]])
    other["data"][0]["content"] = "x"
    found = median_of([replace(records[0], depends_on=same), replace(records[1], depends_on=other), *records[2:]])
    assert found.seed == 0


def test_median_models_are_compared_by_a_one_tailed_t_test_over_draws(cell):
    from scipy import special

    rng = np.random.default_rng(7)
    first, second = (rng.binomial(10, rate, (5, 5, 40)) for rate in (0.52, 0.48))
    found = compare_medians(cell(first.tolist()), cell(second.tolist(), "B"))
    ours, theirs = first.sum(axis=2) / 400, second.sum(axis=2) / 400
    one, other = (scores[np.argsort(scores.mean(axis=1))[2]] for scores in (ours, theirs))
    differences = one - other
    t = differences.mean() / (differences.std(ddof=1) / math.sqrt(5))
    assert found.difference == pytest.approx(differences.mean())
    # The upper tail of Student's t with four degrees of freedom.
    assert found.p_t == pytest.approx(special.stdtr(4, -t))
    assert found.is_significant == (special.stdtr(4, -t) < 0.05)
    assert found.alternative == "greater"
    back = compare_medians(cell(second.tolist(), "B"), cell(first.tolist()))
    assert back.p_t == pytest.approx(1 - found.p_t)
    both = compare_medians(cell(first.tolist()), cell(second.tolist(), "B"), alternative="two-sided")
    assert both.p_t == pytest.approx(2 * min(found.p_t, back.p_t))


def test_one_draw_and_draws_that_all_differ_alike_have_no_p_value(cell):
    found = compare_medians(cell([[[6, 6]]]), cell([[[5, 5]]], "B"))
    assert (found.p_t, found.is_significant) == (None, False)
    assert found.difference == pytest.approx(0.1)
    assert compare_medians(cell([[[6, 6], [7, 7]]]), cell([[[5, 5], [6, 6]]], "B")).p_t is None


def test_median_models_of_other_draws_are_not_compared(cell):
    with pytest.raises(ValueError, match=r"must have the same seeds and draws, but only one of them has .*160291"):
        compare_medians(cell([[[6, 6], [5, 5]]]), cell([[[5, 5]]], "B"))
    with pytest.raises(ValueError, match=r"Unknown alternative 'larger'"):
        compare_medians(cell([[[6, 6]]]), cell([[[5, 5]]], "B"), alternative="larger")
