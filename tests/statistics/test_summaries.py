import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from hf_fewshot.statistics import intervals as module
from hf_fewshot.statistics import summary
from hf_fewshot.statistics.paired import resampled_means
from hf_fewshot.statistics.ratios import N_RESAMPLES, percentile_interval, unit_pairs


def bootstrap_interval(numerators, denominators, confidence_level=0.95):
    """The percentile interval of a ratio of sums over units drawn with replacement."""
    units = unit_pairs(numerators, denominators)[:, None, None]
    return percentile_interval(resampled_means(units, N_RESAMPLES, seed=0), confidence_level)


def test_one_record_has_the_bootstrap_interval_over_its_units(make_record):
    record = make_record([3, 5, 7, 4, 9, 2])
    found = summary([record])
    assert (found.measure, found.n, found.mean, found.std, found.median) == ("accuracy", 1, 0.5, None, 0.5)
    assert (found.low, found.high) == bootstrap_interval(record.numerators, record.denominators)
    assert found.sources == ("units",)


def test_the_interval_that_the_record_holds_is_shown(make_record):
    record = dataclasses.replace(make_record([3, 5, 7, 5]), intervals={"accuracy": (0.41, 0.62)})
    assert (summary([record]).low, summary([record]).high) == (0.41, 0.62)
    wider = summary([record], confidence_level=0.99)
    assert (wider.low, wider.high) == bootstrap_interval([3, 5, 7, 5], [10] * 4, confidence_level=0.99)


def test_one_record_of_one_unit_says_nothing_of_other_units(make_record):
    found = summary([make_record([4])])
    assert (found.mean, found.low, found.high, found.sources) == (0.4, None, None, ())


@pytest.mark.parametrize("right", [(10, 10), (0, 0, 0), (5, 5, 5)])
def test_units_that_are_all_alike_have_an_interval_that_says_nothing(make_record, right):
    found = summary([make_record(right)])
    assert (found.low, found.high, found.n_units) == (right[0] / 10, right[0] / 10, len(right))
    assert found.says_nothing
    several = summary([make_record(right, seed=seed) for seed in (0, 1)])
    assert (several.says_nothing, several.n_units) == (True, len(right))
    apart = summary([make_record(right, fingerprint=f"f{n}", data={"seed": n}) for n in (0, 1)])
    assert (apart.says_nothing, apart.n_units) == (True, 2 * len(right))


def test_rounding_is_no_width(make_record):
    record = dataclasses.replace(make_record([1, 1, 1]), numerators=[0.1, 0.2, 0.7], denominators=[1.0, 2.0, 7.0])
    assert summary([record]).says_nothing


def test_units_that_differ_have_an_interval_that_says_something(make_record):
    assert not summary([make_record([10, 9])]).says_nothing
    assert not summary([make_record([4])]).says_nothing  # there is no interval at all


def test_draws_with_episodes_of_their_own_have_the_t_interval_over_draws(make_record):
    rights = [(3, 5), (5, 5), (4, 6), (6, 7), (4, 5)]
    records = [make_record(right, fingerprint=f"f{n}", data={"seed": n}) for n, right in enumerate(rights)]
    found = summary(records)
    scores = [0.4, 0.5, 0.5, 0.65, 0.45]
    assert (found.mean, found.median) == pytest.approx((0.5, 0.5))
    assert found.std == pytest.approx(np.std(scores, ddof=1))
    expected = stats.t.interval(0.95, 4, loc=0.5, scale=np.std(scores, ddof=1) / math.sqrt(5))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.sources == ("draws",)


def test_seeds_that_change_nothing_leave_the_spread_of_the_units(make_record):
    right = [3, 5, 7, 4, 9, 2] * 10
    found = summary([make_record(right, seed=seed) for seed in range(3)])
    assert (found.std, found.sources) == (0.0, ("seeds", "units"))
    # The variance of 60 units of an accuracy is theirs over 60; t of 59 degrees of freedom is 2.001.
    margin = 2.001 * np.std(right) / 10 / math.sqrt(60)
    assert (found.low, found.high) == pytest.approx((0.5 - margin, 0.5 + margin), abs=0.003)


def test_questions_are_told_by_their_names_though_folds_have_other_fingerprints(make_record):
    records = [make_record([3, 5, 7], unit="question", fingerprint=f"f{fold}", data={"fold": fold}) for fold in (1, 2)]
    assert summary(records).sources == ("draws", "units")
    other = make_record([3, 5, 7], unit="question", units=["x", "y", "z"], fingerprint="f3", data={"fold": 3})
    assert summary([records[0], other]).sources == ("draws",)


def test_seeds_and_draws_in_a_grid_are_not_taken_for_independent_repeats(make_record):
    grid = {(0, 1): 4, (0, 2): 6, (1, 1): 5, (1, 2): 7}
    records = [
        make_record([right] * 2, seed=seed, fingerprint=f"f{draw}", data={"seed": draw})
        for (seed, draw), right in grid.items()
    ]
    found = summary(records)
    assert found.sources == ("seeds", "draws")
    # Means per seed 0.5, 0.6 and per draw 0.45, 0.65: variances of the mean 0.0025 and 0.01, one degree of freedom.
    freedom = 0.0125**2 / (0.0025**2 + 0.01**2)
    margin = stats.t.ppf(0.975, freedom) * math.sqrt(0.0125)
    assert margin > 0.5
    assert (found.mean, found.low, found.high) == pytest.approx((0.55, 0.0, 1.0))
    level = summary(records, confidence_level=0.5)
    assert level.high - level.mean == pytest.approx(stats.t.ppf(0.75, freedom) * math.sqrt(0.0125))


def test_a_seed_for_each_draw_is_one_source(make_record):
    records = [make_record([4 + n, 5], seed=n, fingerprint=f"f{n}", data={"seed": n}) for n in range(3)]
    found = summary(records)
    assert found.sources == ("draws",)
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, 2) * 0.05 / math.sqrt(3))


def test_the_interval_of_seeds_on_one_test_set_holds_the_truth_where_that_over_seeds_alone_does_not(monkeypatch):
    monkeypatch.setattr(module, "N_RESAMPLES", 300)
    n_units, n_seeds, hits, hits_of_seeds = 60, 4, 0, 0
    for trial in range(200):
        rng = np.random.default_rng([11, trial])
        # Units are harder or easier for all seeds, seeds are better or worse on all units; 0.5 in the long run.
        values = 0.5 + rng.normal(0, 0.2, (n_units, 1)) + rng.normal(0, 0.02, n_seeds)
        values = values + rng.normal(0, 0.1, (n_units, n_seeds))
        blocks = [np.stack([column, np.ones(n_units)], axis=-1)[:, None] for column in values.T]
        repeats = {"seeds": range(n_seeds), "draws": [()] * n_seeds}
        shared = {"repeats": repeats, "confidence_level": 0.9}
        low, high, _ = module.mean_interval(blocks, shared_units=True, **shared)
        hits += low <= 0.5 <= high
        low, high, _ = module.mean_interval(blocks, shared_units=False, **shared)
        hits_of_seeds += low <= 0.5 <= high
    assert 0.87 <= hits / 200 <= 0.97
    assert hits_of_seeds / 200 < 0.8


def test_records_that_do_not_belong_together_are_refused(make_record):
    with pytest.raises(ValueError, match="Expected at least one record, got none"):
        summary([])
    with pytest.raises(
        ValueError, match=r"Expected records of one method in one setting, got few_nerd_inter_A_seed=0"
    ):
        summary([make_record([1, 2]), make_record([1, 2], system="B")])
    with pytest.raises(ValueError, match=r"Several records of A, seed 0, fold=1. Give one of each"):
        summary([make_record([1, 2], data={"fold": 1}), make_record([1, 3], data={"fold": 1})])
    with pytest.raises(
        ValueError, match=r"same draw \(seed 1\) have different episodes: f and g. The data has changed"
    ):
        summary([make_record([1, 2]), make_record([1, 3], seed=1, fingerprint="g")])
    other = make_record([1, 2], seed=1)
    with pytest.raises(ValueError, match="Expected records of one measure, got accuracy, f1"):
        summary([make_record([1, 2]), dataclasses.replace(other, measure="f1", scores={"f1": 0.15})])


def test_a_record_whose_units_do_not_give_its_score_is_refused(make_record):
    record = dataclasses.replace(make_record([1, 2]), scores={"accuracy": 0.4})
    with pytest.raises(ValueError, match=r"give accuracy 0.150000, but its score is 0.400000"):
        summary([record])


def test_questions_that_several_draws_ask_are_drawn_again_together(make_record):
    """A reference: all rows of one table as units, where a draw has zeros for those it does not ask."""
    rng = np.random.default_rng(0)
    units, records = np.zeros((40, 3, 1, 2)), []
    for draw in range(3):
        rows, right = rng.permutation(40)[:30], rng.integers(2, size=30)
        units[rows, draw, 0] = np.stack([right, np.ones(30)], axis=1)
        names = [str(row) for row in rows]
        options = {"total": 1, "unit": "question", "units": names, "data": {"draw": draw}, "fingerprint": f"f{draw}"}
        records.append(make_record(right.tolist(), **options))
    found = summary(records)
    assert (found.sources, found.n_units) == (("draws", "units"), 40)
    draws = np.var([record.score for record in records], ddof=1) / 3
    resampled = np.var(resampled_means(units, N_RESAMPLES, seed=module.SEED), ddof=1)
    freedom = (draws + resampled) ** 2 / (draws**2 / 2 + resampled**2 / 39)
    margin = stats.t.ppf(0.975, freedom) * math.sqrt(draws + resampled)
    # Rows of different draws come in another order, so they are resampled alike, but not the very same.
    assert found.high - found.low == pytest.approx(2 * margin, rel=0.02)
    assert found.low + found.high == pytest.approx(2 * found.mean)


def test_questions_of_no_common_row_are_no_common_units(make_record):
    records = [
        make_record([1, 0], total=1, unit="question", units=units, data={"draw": draw}, fingerprint=f"f{draw}")
        for draw, units in enumerate((["0", "1"], ["2", "3"]))
    ]
    assert (summary(records).sources, summary(records).n_units) == (("draws",), 4)
