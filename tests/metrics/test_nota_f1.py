"""nota_f1: micro-F1 over target classes, checked by hand and against scikit-learn."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from hf_fewshot.metrics.nota_f1.scoring import score

LABELS = st.sampled_from(["NOTA", "a", "b", "c"])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_random_labels_score_as_in_scikit_learn(pairs):
    predictions, references = [found for found, _ in pairs], [gold for _, gold in pairs]
    results = score(predictions, references, nota_label="NOTA")
    for labels, names in (
        (["a", "b", "c"], ["precision", "recall", "f1"]),
        (["NOTA"], ["nota_precision", "nota_recall"]),
    ):
        theirs = precision_recall_fscore_support(
            references, predictions, labels=labels, average="micro", zero_division=0
        )
        assert [results[name] for name in names] == pytest.approx(theirs[: len(names)], abs=1e-12)
    for label in {*predictions, *references} - {"NOTA"}:
        theirs = precision_recall_fscore_support(references, predictions, labels=[label], zero_division=0)
        for name, value in zip(["precision", "recall", "f1", "n_references"], theirs, strict=True):
            assert results[f"per_class/{label}/{name}"] == pytest.approx(value[0], abs=1e-12)
    assert results["accuracy"] == pytest.approx(accuracy_score(references, predictions), abs=1e-12)
    assert "per_class/NOTA/f1" not in results


def test_perfect_labels_score_one():
    results = score(["a", "NOTA"], ["a", "NOTA"])
    assert [results[name] for name in ("precision", "recall", "f1", "accuracy", "nota_recall")] == [1.0] * 5


def test_always_saying_nota_scores_zero_with_the_accuracy_of_the_nota_rate():
    results = score(["NOTA"] * 4, ["NOTA", "NOTA", "NOTA", "a"])
    assert (results["f1"], results["accuracy"], results["nota_rate"], results["predicted_nota_rate"]) == (
        0,
        0.75,
        0.75,
        1,
    )


def test_nota_called_a_target_costs_precision_and_a_missed_target_costs_recall():
    results = score(["a", "a", "NOTA", "b", "NOTA"], ["a", "NOTA", "a", "a", "NOTA"])
    assert results == {
        "precision": 1 / 3,
        "recall": 1 / 3,
        "f1": 1 / 3,
        "accuracy": 2 / 5,
        "nota_precision": 1 / 2,
        "nota_recall": 1 / 2,
        "nota_rate": 2 / 5,
        "predicted_nota_rate": 2 / 5,
        "n_correct": 1,
        "n_predictions": 3,
        "n_references": 3,
        "n": 5,
        "per_class/a/precision": 1 / 2,
        "per_class/a/recall": 1 / 3,
        "per_class/a/f1": 2 / 5,
        "per_class/a/n_correct": 1,
        "per_class/a/n_predictions": 2,
        "per_class/a/n_references": 3,
        "per_class/b/precision": 0.0,
        "per_class/b/recall": 0.0,
        "per_class/b/f1": 0.0,
        "per_class/b/n_correct": 0,
        "per_class/b/n_predictions": 1,
        "per_class/b/n_references": 0,
    }
    assert {type(value) for value in results.values()} == {int, float}


def test_class_ids_with_names_score_as_strings():
    names = ["a", "b", "NOTA"]
    predictions, references = [0, 1, 2, 2], [0, 2, 1, 2]
    as_strings = [[names[label] for label in column] for column in (predictions, references)]
    assert score(predictions, references, nota_label=2, label_names=names) == score(*as_strings)


def test_data_without_nota_is_scored_when_the_label_is_said():
    results = score([0, 1], [0, 0], nota_label=5)
    assert (results["f1"], results["nota_rate"], results["nota_recall"]) == (0.5, 0.0, 0.0)


def test_intervals_over_episode_sets_hold_the_score():
    rng = random.Random(0)
    references = [rng.choice(["a", "b", "NOTA"]) for _ in range(300)]
    predictions = [label if rng.random() < 0.7 else "NOTA" for label in references]
    groups = [index // 3 for index in range(300)]
    results = score(predictions, references, groups=groups, confidence_level=0.9, per_group=True)
    assert results["f1_ci_low"] < results["f1"] < results["f1_ci_high"]
    assert sum(key.startswith("per_group/") and key.endswith("/f1") for key in results) == 100


@pytest.mark.parametrize(
    ("labels", "options", "error", "message"),
    [
        ([1, 2], {}, ValueError, "Class ids do not tell which one is none of the above. Give nota_label"),
        (["a", "b"], {}, ValueError, r"No label is 'NOTA' \(there are 'a', 'b', ...\). Give nota_label"),
        (["a", "b"], {"nota_label": 2}, TypeError, "The labels are strings, but nota_label is 2"),
        ([1, 2], {"nota_label": "NOTA"}, TypeError, "The labels are class ids, but nota_label is 'NOTA'"),
    ],
)
def test_an_unclear_nota_label_is_refused_with_what_to_do(labels, options, error, message):
    with pytest.raises(error, match=message):
        score(labels, labels, **options)
