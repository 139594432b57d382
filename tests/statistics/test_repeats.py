import math

import pytest

from hf_fewshot.statistics import mean_and_std, median_model, summed_std


def test_mean_and_sample_deviation():
    mean, std = mean_and_std([0.5, 0.6, 0.7, 0.8, 0.9])
    assert mean == pytest.approx(0.7)
    # Deviations -0.2, -0.1, 0, 0.1, 0.2: a sum of squares of 0.1, over 4.
    assert std == pytest.approx(math.sqrt(0.025))


def test_one_score_has_no_deviation():
    assert mean_and_std([0.4]) == (0.4, None)


@pytest.mark.parametrize(
    ("scores", "index"),
    [
        ([0.3, 0.9, 0.5, 0.4, 0.6], 2),
        ([0.7], 0),
        ([0.9, 0.2, 0.4, 0.3], 3),  # the middle two are 0.3 and 0.4
        ([0.2, 0.5, 0.5, 0.5, 0.9], 1),
    ],
)
def test_the_model_with_the_median_score_is_reported(scores, index):
    assert median_model(scores) == index


def test_root_of_the_summed_variances():
    assert summed_std([3.0, 4.0, 0.0]) == 5.0


def test_scores_that_are_none_are_refused():
    with pytest.raises(ValueError, match="Expected at least one score, got none"):
        mean_and_std([])
    with pytest.raises(ValueError, match=r"Expected finite scores, got nan. Leave out or repeat the runs that failed"):
        median_model([0.5, float("nan")])
