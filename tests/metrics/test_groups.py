"""Scores over groups, and confidence intervals from resampling groups."""

import numpy as np
import pytest

from hf_fewshot.metrics.slot_f1.groups import Bootstrap, Groups, distinct_rows, group_means, pooled


def share(rows):
    return {"share": rows[:, 0] / rows[:, 1]}


def test_groups_are_sorted_by_name():
    groups = Groups.of(["b", "a", "b"], 3)
    assert groups.names == ["a", "b"]
    assert groups.codes.tolist() == [1, 0, 1]
    assert len(groups) == 2


def test_without_groups_each_example_stands_for_itself():
    groups = Groups.of(None, 3)
    assert len(groups) == 3
    assert not groups.given


def test_numbers_and_strings_name_the_same_group():
    assert Groups.of([1, "1", np.int64(1)], 3).names == ["1"]


def test_pooled_scores_sum_before_they_divide_and_means_divide_first():
    rows = np.array([[1, 1], [0, 3]])
    assert pooled(rows, share, Bootstrap()) == {"share": 0.25}
    assert group_means(rows, share, Bootstrap(), suffix="_group_mean") == {"share_group_mean": 0.5}


def test_the_interval_is_the_same_for_any_order_of_the_groups():
    rows = np.array([[1, 2], [0, 3], [5, 9], [5, 9], [2, 2]])
    bootstrap = Bootstrap(confidence_level=0.9, n_bootstrap=200, seed=3)
    assert pooled(rows, share, bootstrap) == pooled(rows[::-1], share, bootstrap)


def test_the_seed_decides_the_interval():
    rows = np.random.default_rng(0).integers(1, 100, size=(40, 2))
    results = [pooled(rows, share, Bootstrap(0.9, 100, seed)) for seed in (0, 0, 1)]
    assert results[0] == results[1]
    assert results[0]["share_ci_low"] != results[2]["share_ci_low"]


def test_the_interval_of_a_mean_is_close_to_the_normal_one():
    values = np.random.default_rng(0).normal(0.5, 0.1, size=400)
    rows = np.stack([values, np.ones(400)], axis=1)
    results = pooled(rows, share, Bootstrap(0.95, 4000, 0))
    half = 1.96 * values.std() / 20
    assert results["share_ci_low"] == pytest.approx(values.mean() - half, abs=5e-4)
    assert results["share_ci_high"] == pytest.approx(values.mean() + half, abs=5e-4)


def test_drawing_distinct_rows_is_drawing_groups():
    rows = np.array([[0.0, 1.0]] * 3 + [[1.0, 1.0]])
    means = Bootstrap(0.9, 20_000, 0)._resampled_means(rows)[:, 0]
    # The number of ones among four draws is binomial(4, 1/4).
    assert np.bincount((means * 4).astype(int), minlength=5) / 20_000 == pytest.approx(
        [0.3164, 0.4219, 0.2109, 0.0469, 0.0039], abs=0.012
    )


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_distinct_rows_are_those_of_numpy(kind):
    rows = np.random.default_rng(0).integers(0, 3, (200, 4)).astype(kind)
    expected = np.unique(rows, axis=0, return_counts=True)
    for found, right in zip(distinct_rows(rows), expected, strict=True):
        assert found.tolist() == right.tolist()


def test_the_scores_of_each_group_are_named():
    groups = Groups.of(["b", "a"], 2)
    assert groups.results(np.array([[1, 2], [3, 3]]), share) == {"per_group/a/share": 0.5, "per_group/b/share": 1.0}


def test_the_scores_of_many_groups_come_as_columns():
    groups = Groups.of(np.array([10, 2]), 2)
    found = groups.results(np.array([[1, 2], [3, 3]]), share, "columns")["per_group"]
    assert found["group"] == ["10", "2"]
    assert found["share"].tolist() == [0.5, 1.0]
    assert groups.results(np.ones((2, 2)), share, False) == {}


def test_numbers_are_grouped_as_their_names_are():
    numbers = np.array([12, 3, 12, 101, 3])
    groups = Groups.of(numbers, 5)
    assert groups.names == ["101", "12", "3"]
    assert groups.codes.tolist() == [1, 2, 1, 0, 2] == Groups.of(numbers.tolist(), 5).codes.tolist()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Groups.of(np.array([1]), 2), ValueError, "1 groups for 2 examples. Give the id of the group"),
        (
            lambda: Groups.of(["a"], 1).results(np.ones((1, 2)), share, "rows"),
            ValueError,
            "per_group='rows' is not known. Give one of True, 'columns'",
        ),
        (lambda: Groups.of(["a"], 2), ValueError, "1 groups for 2 examples. Give the id of the group of each example"),
        (lambda: Groups.of("ab", 2), TypeError, "groups must be a list with one id per example, got str 'ab'"),
        (lambda: Groups.of(None, 2).results(np.ones((2, 2)), share), ValueError, "per_group=True needs groups"),
        (
            lambda: Bootstrap(confidence_level=95),
            ValueError,
            "confidence_level=95 is no level. Give one between 0 and 1",
        ),
        (lambda: Bootstrap(n_bootstrap=0), ValueError, "n_bootstrap=0 is no number of resamples"),
        (
            lambda: pooled(np.ones((1, 2)), share, Bootstrap(0.9)),
            ValueError,
            "needs at least 2 groups to resample, got 1",
        ),
    ],
)
def test_wrong_groups_and_intervals_are_refused_with_what_to_do(make, error, message):
    with pytest.raises(error, match=message):
        make()
