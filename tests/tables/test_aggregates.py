import math

import pytest

from hf_fewshot.tables.aggregates import aggregates
from hf_fewshot.tables.family import families
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

TASKS = ("conll03", "mnli", "record", "squad", "sst2", "wikiann")


@pytest.fixture
def fold(make_record):
    """A function that makes the record of a fold."""

    def make(task, shots, score, fold=1, system="Ours", **data):
        options = {"shots": shots, "fold": fold, **data}
        kind = {"benchmark": "clues", "config": task, "measure": "s1", "task": "spans"}
        return make_record(system, score, data=options, baselines={"always_empty": 0.25}, **kind)

    return make


def overviews(records):
    return aggregates(families(map(table, settings(records))))


def test_a_score_is_the_mean_of_means_and_its_deviation_the_root_of_the_summed_variances(fold):
    records = [
        *(fold("sst2", 30, score, number, sample=True) for number, score in enumerate((0.5, 0.58), start=1)),
        *(fold("mnli", 30, score, number, sample=True) for number, score in enumerate((0.33, 0.39), start=1)),
    ]
    (found,) = overviews(records)
    assert (found.title, found.measure, found.columns) == ("clues, 2 tasks, test, sample data", "s1", ["30-shot"])
    ours, trivial = found.lines
    assert (ours.system, ours.encoder) == ("Ours", "bert-base-uncased")
    assert ours.values[0].mean == pytest.approx((54 + 36) / 2)
    # Variances 2 * 16 / 1 and 2 * 9 / 1.
    assert ours.values[0].std == pytest.approx(math.sqrt(32 + 18))
    assert (trivial.system, trivial.values[0].mean, trivial.values[0].std) == ("always empty", 25.0, 0.0)


def test_all_six_tasks_stand_beside_people_and_published_systems(fold):
    records = [fold(task, shots, 0.5) for task in TASKS for shots in (20, 30)]
    (found,) = overviews(records)
    assert (found.title, found.columns) == ("clues, all tasks, test", ["20-shot", "30-shot"])
    lines = {line.system: [value and round(value.mean, 2) for value in line.values] for line in found.lines}
    # The mean of the six published human scores, and of BERT-base's.
    assert lines["human"] == [84.23, 81.42]
    assert lines["BERT-base fine-tuning"] == [41.65, 41.47]
    # The root of 0.6, 0.8, 2.1, 0.4, 2.0, 0.2 squared and summed.
    assert next(str(line.values[1]) for line in found.lines if line.system == "human") == "81.42 ± 3.10"
    assert "GPT-3 in context" not in lines


def test_a_system_or_a_number_of_shots_that_a_task_lacks_is_left_out(fold):
    records = [
        fold("sst2", 10, 0.5),
        fold("mnli", 10, 0.5),
        fold("sst2", 20, 0.5),
        fold("sst2", 10, 0.5, system="Other"),
    ]
    (found,) = overviews(records)
    assert found.columns == ["10-shot"]
    assert "Other" not in [line.system for line in found.lines]


def test_one_task_or_another_benchmark_has_no_aggregate(fold, make_record):
    assert overviews([fold("sst2", 10, 0.5)]) == []
    assert overviews([make_record("A", config="inter"), make_record("A", config="intra")]) == []
