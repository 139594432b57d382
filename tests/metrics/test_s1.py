"""s1 is the score of CLUES: its self-check, its published baselines, and plain set arithmetic."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.metrics.s1.scoring import score, squad_form

ANSWERS = st.lists(st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=4), min_size=1, max_size=8)


def s1_of(found, gold):
    """The definition, for one instance."""
    found, gold = set(found) - {""}, set(gold) - {""}
    if not found or not gold:
        return float(found == gold)
    common = len(found & gold)
    precision, recall = common / len(found), common / len(gold)
    return 2 * precision * recall / (precision + recall) if common else 0.0


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_random_answers_score_as_set_arithmetic_says(data):
    references = data.draw(ANSWERS)
    predictions = data.draw(
        st.lists(ANSWERS.map(lambda rows: rows[0]), min_size=len(references), max_size=len(references))
    )
    expected = [s1_of(found, gold) for found, gold in zip(predictions, references, strict=True)]
    results = score(predictions, references, per_instance=True)
    assert results["per_instance"] == pytest.approx(expected, abs=1e-12)
    assert results["s1"] == pytest.approx(sum(expected) / len(expected), abs=1e-12)
    best = [
        max((s1_of(found, [answer]) for answer in gold if answer), default=s1_of(found, []))
        for found, gold in zip(predictions, references, strict=True)
    ]
    results = score(predictions, references, per_instance=True, multi_reference="max")
    assert results["per_instance"] == pytest.approx(best, abs=1e-12)


def test_the_self_check_of_the_authors_scores_035():
    predictions = [["a", "b"], [], ["c"], ["d", "e"]]
    references = [["b", "c", "d"], [], [], ["f", "g"]]
    results = score(predictions, references, per_instance=True)
    assert results == {"s1": 0.35, "always_empty_s1": 0.5, "n": 4, "per_instance": [0.4, 1.0, 0.0, 0.0]}
    assert {type(results["s1"]), *map(type, results["per_instance"])} == {float}


def test_perfect_answers_score_one_and_wrong_ones_zero():
    assert score([["a", "b"], []], [["b", "a"], []])["s1"] == 1.0
    assert score([["a"], ["b"], []], [["b"], [], ["c"]])["s1"] == 0.0


@pytest.mark.parametrize("nothing", [[], [""], ["", " "]])
def test_every_way_to_say_no_answer_scores_alike(nothing):
    assert score([nothing, nothing, ["a"]], [[], ["a"], nothing], per_instance=True)["per_instance"] == [1.0, 0.0, 0.0]


def test_repeated_answers_count_once():
    assert score([["a", "a"]], [["a", "b", "b"]])["s1"] == pytest.approx(2 / 3)


def test_answers_are_compared_raw_unless_normalized():
    predictions, references = [["the  Norman's!"], ["A b"]], [["Normans"], ["b"]]
    assert score(predictions, references)["s1"] == 0.0
    assert score(predictions, references, normalize="squad")["s1"] == 1.0


def test_the_squad_form_drops_case_punctuation_articles_and_white_space():
    assert squad_form(" The  quick, brown FOX; an  ox.") == "quick brown fox ox"


def test_an_answer_that_is_only_an_article_is_still_an_answer():
    assert score([["a"]], [[]], normalize="squad")["s1"] == 0.0


def test_variants_of_one_answer_count_as_one_with_max():
    assert score([["in 1066"]], [["1066", "in 1066", "AD 1066"]])["s1"] == 0.5
    assert score([["in 1066"]], [["1066", "in 1066", "AD 1066"]], multi_reference="max")["s1"] == 1.0
    assert score([["in 1066", "x"]], [["1066", "in 1066"]], multi_reference="max")["s1"] == pytest.approx(2 / 3)


def test_scores_of_groups_are_those_of_their_instances():
    results = score([["a"], [], ["b"]], [["a"], ["b"], ["b"]], groups=["x", "x", "y"], per_group=True)
    assert (results["per_group/x/s1"], results["per_group/y/s1"]) == (0.5, 1.0)


def test_the_order_of_the_instances_does_not_change_a_single_bit():
    rng = random.Random(0)
    rows = [([str(rng.randrange(6)) for _ in range(3)], [str(rng.randrange(6)) for _ in range(2)]) for _ in range(500)]
    results = []
    for _ in range(3):
        rng.shuffle(rows)
        results.append(
            score([row[0] for row in rows], [row[1] for row in rows], confidence_level=0.95, n_bootstrap=50)
        )
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize(
    ("predictions", "references", "options", "error", "message"),
    [
        (["yes"], [["yes"]], {}, TypeError, r"predictions\[0\] must be a list of answers, got str 'yes'. Write it as"),
        (
            [["a"]],
            [[{"text": "a"}]],
            {},
            TypeError,
            "An answer in references is no string.*'answer_start'.*give the text",
        ),
        ([[1]], [["a"]], {}, TypeError, "Answers must be strings, got int 1. Convert them first"),
        ([["a"]], [["a"], ["b"]], {}, ValueError, "1 predictions for 2 references"),
        ([], [], {}, ValueError, "are empty: nothing to score"),
        (
            [[]],
            [[]],
            {"normalize": "lower"},
            ValueError,
            "normalize='lower' is not known. Give one of 'none', 'squad'",
        ),
        ([[]], [[]], {"multi_reference": "any"}, ValueError, "multi_reference='any' is not known"),
    ],
)
def test_wrong_input_is_refused_with_what_to_do(predictions, references, options, error, message):
    with pytest.raises(error, match=message):
        score(predictions, references, **options)


def test_instances_without_any_answer_at_all_score_one():
    assert score([[], []], [[], [""]]) == {"s1": 1.0, "always_empty_s1": 1.0, "n": 2}


def clues_answers(shared_data, task, file):
    path = shared_data / "CLUES" / "data" / "JSON" / "CLUES-JSON" / task / file
    rows = [json.loads(line)["answer"] for line in path.read_text(encoding="utf-8").splitlines()]
    return [[answer["text"] if isinstance(answer, dict) else answer for answer in answers] for answers in rows]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("task", "file", "published"),
    [
        ("CoNLL2003", "conll_test.jsonl", 51.33),
        ("WikiANN_EN", "wikiann_test.jsonl", 62.83),
        ("SQuAD-v2", "squad-v2_test.jsonl", 49.50),
    ],
)
def test_always_empty_predictions_score_the_published_baseline(shared_data, task, file, published):
    references = clues_answers(shared_data, task, file)
    results = score([[]] * len(references), references)
    assert round(100 * results["s1"], 2) == published
    assert results["always_empty_s1"] == results["s1"]


@pytest.mark.shared_data
def test_a_perfect_squad_answer_is_punished_as_a_set_but_not_with_max(shared_data):
    references = clues_answers(shared_data, "SQuAD-v2", "squad-v2_test.jsonl")
    predictions = [answers[:1] for answers in references]
    assert score(predictions, references)["s1"] < 0.95
    assert score(predictions, references, multi_reference="max")["s1"] == 1.0
