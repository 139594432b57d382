"""The confidence interval of a mean over records that share units, or seeds, or draws."""

import math
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from hf_fewshot.statistics.paired import contrasts, resampled_means
from hf_fewshot.statistics.ratios import N_RESAMPLES, percentile_interval, require_level
from hf_fewshot.statistics.repeats import mean_and_std

SEED = 0

Interval = tuple[float | None, float | None, tuple[str, ...]]
# Sums in another order.
_NO_WIDTH = 1e-12


def has_no_width(low: float | None, high: float | None) -> bool:
    """Whether all units and repeats gave the same. Such an interval is not narrow: it says nothing of other units.

    Two or three units that are all right, or all wrong, are the usual case; resampling them finds nothing new.
    """
    return low is not None and high is not None and high - low < _NO_WIDTH


def mean_interval(
    blocks: Sequence[np.ndarray],
    *,
    repeats: Mapping[str, Sequence[Hashable]],
    shared_units: bool,
    confidence_level: float,
) -> Interval:
    """Low, high and the sources of variation that are accounted for.

    One record: the percentile bootstrap over its units; nothing with a single unit. Several: each source gives the
    variance of the mean it causes, and the variances are added. "seeds" (of people "annotators") and "draws" give the
    variance of the means per seed or per draw over their number; where every record has a seed and a draw of its own
    they are one source.
    "units" gives the variance of the mean when units are drawn again, the same for all records, and counts only where
    all records have the same units: draws with episodes of their own already vary with them. The interval is Student's
    t with Welch's and Satterthwaite's degrees of freedom. So with episodes of their own it is the t-interval over
    repeats; with one fixed test set it is wider than that, since another test set would give other scores too, and it
    does not shrink to nothing where the seed changes nothing.

    Args:
        blocks: of each record, shape (n_units, n_systems, numerator and denominator).
        repeats: what records differ in, by its name, and which of it each record is; "draws" come last.
        shared_units: whether the units of all records are the same.
        confidence_level: of the interval.
    """
    require_level(confidence_level)
    several_units = shared_units and len(blocks[0]) > 1
    units = np.stack(blocks, axis=1) if several_units else None
    if len(blocks) == 1:
        if units is None:
            return None, None, ()
        return *percentile_interval(resampled_means(units, N_RESAMPLES, SEED), confidence_level), ("units",)
    values = [float(contrasts(block.sum(axis=0)[None])[0]) for block in blocks]
    variances = _repeat_variances(values, repeats)
    if units is not None:
        variances["units"] = float(np.var(resampled_means(units, N_RESAMPLES, SEED), ddof=1)), len(units) - 1
    return *_student_interval(mean_and_std(values)[0], list(variances.values()), confidence_level), tuple(variances)


def _repeat_variances(
    values: Sequence[float], repeats: Mapping[str, Sequence[Hashable]]
) -> dict[str, tuple[float, int]]:
    """Of each kind of repeat, where there are several: the variance of the mean, and its degrees of freedom."""
    if all(len(set(keys)) == len(values) for keys in repeats.values()):
        repeats = dict([*repeats.items()][-1:])  # each draw has a seed of its own
    variances = {}
    for name, keys in repeats.items():
        means = [
            mean_and_std([v for v, k in zip(values, keys, strict=True) if k == key])[0] for key in dict.fromkeys(keys)
        ]
        _, std = mean_and_std(means)
        if std is not None:
            variances[name] = std**2 / len(means), len(means) - 1
    return variances


def _student_interval(mean: float, variances: list[tuple[float, int]], level: float) -> tuple[float, float]:
    total = sum(variance for variance, _ in variances)
    if not total:
        return mean, mean
    from scipy.special import stdtrit

    freedom = total**2 / sum(variance**2 / degrees for variance, degrees in variances)
    margin = float(stdtrit(freedom, (1 + level) / 2)) * math.sqrt(total)
    return mean - margin, mean + margin
