"""Repeats of one measurement: seeds, folds, draws of episodes, models."""

import math
import statistics
from collections.abc import Sequence


def mean_and_std(scores: Sequence[float]) -> tuple[float, float | None]:
    """The mean and the sample standard deviation (over n - 1); None where one score has no spread to show."""
    _require_scores(scores)
    return statistics.fmean(scores), statistics.stdev(scores) if len(scores) > 1 else None


def median_model(scores: Sequence[float]) -> int:
    """The index of the model to report: the one with the median score (Sabo et al. 2021 train five of each).

    A reported model must exist, so of an even number the lower one of the middle two is taken, never a mean that no
    model has. Of equal scores it is the first.
    """
    _require_scores(scores)
    return list(scores).index(statistics.median_low(scores))


def summed_std(deviations: Sequence[float]) -> float:
    """The root of the summed variances: what the README of CLUES gives as the spread of its mean over tasks.

    This is the deviation of the sum of independent scores; that of their mean is n times smaller.
    """
    return math.sqrt(sum(deviation**2 for deviation in deviations))


def _require_scores(scores: Sequence[float]) -> None:
    if not len(scores):
        raise ValueError("Expected at least one score, got none.")
    wrong = [score for score in scores if not math.isfinite(score)]
    if wrong:
        raise ValueError(f"Expected finite scores, got {wrong[0]!r}. Leave out or repeat the runs that failed.")
