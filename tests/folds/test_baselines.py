import math

import pytest

from hf_fewshot.folds.baselines import BASELINES, every_label, most_frequent
from hf_fewshot.folds.result import FoldResult
from hf_fewshot.folds.table import TASKS, aggregate, clues_table, published, summarise

ZERO = dict.fromkeys(BASELINES, 0.25)


def results(task, shots, *scores):
    return [FoldResult(task, shots, fold, score, ZERO, {}) for fold, score in enumerate(scores, start=1)]


def test_mean_and_sample_deviation_over_folds():
    (summary,) = summarise(results("sst2", 10, 0.5, 0.6, 0.7, 0.8, 0.9))
    assert summary.mean == pytest.approx(70)
    # Deviations -20, -10, 0, 10, 20: a sum of squares of 1000, over 4.
    assert summary.std == pytest.approx(math.sqrt(250))
    assert (summary.n_folds, summary.baselines["always_empty"]) == (5, 25.0)


def test_the_aggregate_is_the_mean_of_means_and_the_root_of_the_summed_variances():
    summaries = summarise([*results("mnli", 30, 0.33, 0.39), *results("sst2", 30, 0.5, 0.58)])
    assert [summary.task for summary in summaries] == ["sst2", "mnli"]
    mean, spread = aggregate(summaries)
    assert mean == pytest.approx((36 + 54) / 2)
    # Variances 2 * 9 / 1 and 2 * 16 / 1.
    assert spread == pytest.approx(math.sqrt(18 + 32))


def test_the_table_shows_each_score_beside_baselines_human_and_published():
    folds = [*results("sst2", 30, 0.5, 0.6, 0.7, 0.8, 0.9), *results("mnli", 30, 0.4), *results("squad", 10, 0.4)]
    assert clues_table(folds, ["human", "BERT-base prompts"]).splitlines() == [
        "| task | shots | S1 | always empty | most frequent | every label | human | BERT-base prompts |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| squad | 10 | 40.00 +- 0.00 (1 of 5 folds) | 25.00 | 25.00 | 25.00 | 71.90 |  |",
        "| sst2 | 30 | 70.00 +- 15.81 | 25.00 | 25.00 | 25.00 | 83.70 | 79.40 |",
        "| mnli | 30 | 40.00 +- 0.00 (1 of 5 folds) | 25.00 | 25.00 | 25.00 | 69.40 | 42.50 |",
        "| these 2 | 30 | 55.00 +- 15.81 | 25.00 | 25.00 | 25.00 | 76.55 | 60.95 |",
    ]


def test_all_six_tasks_together_are_called_so():
    folds = [result for task in TASKS for result in results(task, 20, 0.5)]
    last = clues_table(folds).splitlines()[-1]
    assert last == "| all | 20 | 50.00 +- 0.00 | 25.00 | 25.00 | 25.00 | 84.23 |  |"


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="Several results of one fold of sst2, 10 shots: folds"):
        summarise(results("sst2", 10, 0.5) * 2)
    with pytest.raises(ValueError, match=r"Unknown task of CLUES 'sst'. Did you mean 'sst2'\?"):
        summarise(results("sst", 10, 0.5))
    with pytest.raises(ValueError, match=r"Unknown published system 'GPT-5'. Known: BERT-base fine-tuning"):
        clues_table([], ["GPT-5"])
    with pytest.raises(ValueError, match=r"Expected tasks with one number of shots, got \[10, 20\]"):
        aggregate(summarise([*results("sst2", 10, 0.5), *results("sst2", 20, 0.5)]))


def test_published_numbers_are_percentages_of_the_six_tasks():
    for shots in published()["human"].values():
        assert tuple(shots) == TASKS
    for system in published().values():
        assert all(0 < score < 100 for tasks in system.values() for score in tasks.values())
        assert all(set(tasks) <= set(TASKS) for tasks in system.values())


def test_the_most_frequent_set_of_answers_may_be_the_empty_one():
    train = [{"answers": []}, {"answers": ["a"]}, {"answers": []}, {"answers": ["b", "a"]}]
    assert most_frequent(train, [{"question": "?"}] * 2) == [[], []]
    assert most_frequent([{"answers": ["b", "a"]}, {"answers": ["a", "b"]}, {"answers": ["a"]}], [{}]) == [["a", "b"]]
    assert every_label(train, [{"question": "a or c"}, {"question": "?"}]) == [["a"], []]
