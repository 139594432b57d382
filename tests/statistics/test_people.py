"""People beside models: their numbers are no seeds, so each of them is compared with every seed."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from hf_fewshot.statistics import compare, summary
from hf_fewshot.statistics.ranks import Contender, lead
from hf_fewshot.statistics.record_units import by_repeat
from hf_fewshot.tables.distinct import distinct
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table


@pytest.fixture
def people(make_record):
    """Annotators with the given numbers right in each unit."""

    def make(*rights, **options):
        records = [make_record(right, system="People", seed=n, **options) for n, right in enumerate(rights, start=1)]
        return [replace(record, run=replace(record.run, method="people")) for record in records]

    return make


def test_each_annotator_is_compared_with_every_seed(people, make_record):
    persons = people([6, 8, 7], [8, 10, 9])  # 0.7 and 0.9
    models = [make_record(right, system="B", seed=n) for n, right in enumerate([[4, 5, 6], [5, 6, 7], [3, 4, 5]])]
    found = compare(persons, models)
    assert (found.n, found.p_t) == (6, None)
    assert found.difference == pytest.approx(0.8 - 0.5)
    assert found.sources == ("annotators", "seeds", "units")
    # Differences by annotator 0.2 and 0.4, by seed 0.3, 0.2 and 0.4; units differ by what three of them leave.
    of_annotators, of_seeds = np.var([0.2, 0.4], ddof=1) / 2, np.var([0.3, 0.2, 0.4], ddof=1) / 3
    least = of_annotators + of_seeds
    assert (found.high - found.low) / 2 > stats.t.ppf(0.975, 10) * math.sqrt(least)
    back = compare(models, persons)
    assert (back.difference, back.sources) == (pytest.approx(-found.difference), ("seeds", "annotators", "units"))


def test_one_seed_is_enough_to_be_compared_with(people, make_record):
    found = compare(people([6, 8, 7], [8, 10, 9]), [make_record([5, 5, 5], system="B", seed=7)])
    assert (found.n, found.sources, found.difference) == (2, ("annotators", "units"), pytest.approx(0.3))


def test_two_groups_of_people_are_others_whatever_their_numbers(people):
    found = compare(people([6, 8], [8, 10]), people([5, 7], [6, 6], [7, 5]))
    assert (found.n, found.sources) == (6, ("annotators", "other annotators", "units"))


def test_people_and_models_need_the_same_draws_and_episodes(people, make_record):
    other = [make_record([5, 5], system="B", data={"fold": 1})]
    with pytest.raises(ValueError, match="must have the same draws, but only one of them has that of seed 1, fold=0"):
        compare(people([6, 8], data={"fold": 0}), other)
    with pytest.raises(ValueError, match=r"were not run on the same episodes \(seed 1\): fingerprints f and g"):
        compare(people([6, 8]), [make_record([5, 5], system="B", fingerprint="g")])


def test_the_lead_of_people_is_a_paired_one(people, make_record):
    persons, models = people([6, 8, 7], [8, 10, 9]), [make_record([5, 5, 5], system="B")]
    found = lead(*(Contender(by_repeat(one), summary(one)) for one in (persons, models)))
    assert (found.is_paired, found.difference) == (True, pytest.approx(0.3))


def test_the_interval_of_people_is_over_annotators(people):
    assert summary(people([6, 8], [8, 10])).sources == ("annotators", "units")


def test_annotators_who_answer_alike_are_several(people):
    assert len(distinct(people([6, 8], [6, 8]))) == 2


def test_people_have_no_median_model(people, make_record):
    def moved(records):
        """In a benchmark whose papers report median models."""
        runs = [replace(one.run, benchmark="fs_tacred", config=None, data={"n_way": 5, "shots": 1}) for one in records]
        return [replace(one, run=run, task="relation") for one, run in zip(records, runs, strict=True)]

    models = [make_record([5, n], system="B", seed=n) for n in range(3)]
    (setting,) = settings(moved([*people([6, 8], [8, 10], [7, 7]), *models]))
    found = table(setting)
    assert setting.reports_median_model
    assert [line.system for line in found.lines if line.kind == "ours"] == ["People", "B, median of 3 models"]
    (pair,) = found.comparisons.pairs
    assert (pair.medians, pair.median_problem, pair.problem) == (None, "", "")
    assert pair.comparison.n == 9
