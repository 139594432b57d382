"""entity_f1 is Few-NERD's score: against plain loops, and where seqeval goes wrong."""

import random
import warnings
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.metrics.entity_f1.scoring import score

TYPES = ["O", "art-film", "art-other", "person-actor", "person-other"]


def runs(tags):
    """The entities of a sequence: {(start, end): type}."""
    found, start = {}, 0
    for tag, run in groupby(tags):
        end = start + len(list(run))
        if tag != "O":
            found[start, end] = tag
        start = end
    return found


def few_nerd(predictions, references):
    """The definitions of the paper, sequence by sequence."""
    counts = dict.fromkeys(("correct", "predicted", "gold", "fp", "fn", "tokens", "within", "outer", "spans"), 0)
    for found_tags, gold_tags in zip(predictions, references, strict=True):
        found, gold = runs(found_tags), runs(gold_tags)
        both = [(found[span], gold[span]) for span in found.keys() & gold.keys()]
        counts["predicted"] += len(found)
        counts["gold"] += len(gold)
        counts["spans"] += len(both)
        counts["correct"] += sum(a == b for a, b in both)
        counts["within"] += sum(a != b and a.split("-")[0] == b.split("-")[0] for a, b in both)
        counts["outer"] += sum(a.split("-")[0] != b.split("-")[0] for a, b in both)
        counts["fp"] += sum(a != "O" == b for a, b in zip(found_tags, gold_tags, strict=True))
        counts["fn"] += sum(a == "O" != b for a, b in zip(found_tags, gold_tags, strict=True))
        counts["tokens"] += len(gold_tags)

    def ratio(part, whole):
        return counts[part] / counts[whole] if counts[whole] else 0.0

    return {
        "precision": ratio("correct", "predicted"),
        "recall": ratio("correct", "gold"),
        "f1": 2 * counts["correct"] / max(1, counts["predicted"] + counts["gold"]),
        "fp_error": ratio("fp", "tokens"),
        "fn_error": ratio("fn", "tokens"),
        "within_error": ratio("within", "spans"),
        "outer_error": ratio("outer", "spans"),
        "n_correct": counts["correct"],
        "n_predictions": counts["predicted"],
        "n_references": counts["gold"],
    }


def joined(sentences, groups):
    """The sentences of each group, one after the other."""
    return [
        [tag for tags, own in zip(sentences, groups, strict=True) if own == group for tag in tags] for group in "ab"
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES)), max_size=10)
        ),
        min_size=1,
        max_size=6,
    ).filter(lambda sentences: any(pairs for _, pairs in sentences))
)
def test_random_tags_score_as_plain_loops_say(sentences):
    groups = [group for group, _ in sentences]
    predictions = [[found for found, _ in pairs] for _, pairs in sentences]
    references = [[gold for _, gold in pairs] for _, pairs in sentences]
    expected = few_nerd(predictions, references)
    results = score(predictions, references)
    assert {name: results[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    expected = few_nerd(joined(predictions, groups), joined(references, groups))
    results = score(predictions, references, groups=groups, compat="original")
    assert {name: results[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_perfect_tags_score_one_without_errors():
    tags = [["O", "art-film", "art-film"], ["person-actor"]]
    results = score(tags, tags)
    assert (results["precision"], results["recall"], results["f1"], results["accuracy"]) == (1.0, 1.0, 1.0, 1.0)
    assert [results[f"{error}_error"] for error in ("fp", "fn", "within", "outer")] == [0.0, 0.0, 0.0, 0.0]


def test_all_wrong_tags_score_zero():
    results = score([["art-film", "O"]], [["O", "art-film"]])
    assert (results["precision"], results["recall"], results["f1"], results["accuracy"]) == (0.0, 0.0, 0.0, 0.0)
    assert (results["fp_error"], results["fn_error"]) == (0.5, 0.5)


def test_each_kind_of_error_is_counted_by_its_own_measure():
    references = [["art-film", "O", "art-film", "O", "person-actor", "O", "art-film", "O"]]
    predictions = [["art-film", "O", "art-other", "O", "art-film", "O", "O", "art-film"]]
    results = score(predictions, references)
    assert results["precision"] == results["recall"] == results["f1"] == 0.25
    assert (results["fp_error"], results["fn_error"]) == (1 / 8, 1 / 8)
    assert (results["within_error"], results["outer_error"]) == (1 / 3, 1 / 3)
    assert results["per_type/art-film/recall"] == 1 / 3
    assert results["per_type/art-other/precision"] == 0.0
    assert results["per_coarse_type/art/precision"] == 0.25
    assert results["per_coarse_type/art/n_predictions"] == 4
    assert results["per_coarse_type/person/n_references"] == 1
    assert {type(value) for value in results.values()} == {int, float}


def test_permuted_other_types_score_zero_where_seqeval_says_one():
    from seqeval.metrics import f1_score

    references = [["art-other", "O", "person-other", "person-other"]]
    predictions = [["person-other", "O", "art-other", "art-other"]]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*seems not to be NE tag", category=UserWarning)
        assert f1_score(references, predictions) == 1.0
    results = score(predictions, references)
    assert (results["f1"], results["outer_error"]) == (0.0, 1.0)


def test_runs_end_with_their_sentence_unless_joined_as_in_the_original():
    tags = [["O", "art-film"], ["art-film", "O"], ["art-film"]]
    assert score(tags, tags)["n_references"] == 3
    assert score(tags, tags, compat="original")["n_references"] == 2
    assert score(tags, tags, groups=["a", "b", "a"], compat="original")["n_references"] == 2
    assert score(tags, tags, groups=["a", "b", "b"], compat="original")["n_references"] == 3


def test_a_wrong_sentence_can_spoil_its_neighbour_only_when_joined():
    references = [["O", "art-film"], ["O", "O"]]
    predictions = [["O", "art-film"], ["art-film", "O"]]
    assert score(predictions, references)["n_correct"] == 1
    assert score(predictions, references, compat="original")["n_correct"] == 0


def test_bio_tags_read_as_types_are_refused():
    with pytest.raises(ValueError, match=r'got BIO tags such as .* Use scheme="bio"'):
        score([["B-film", "I-film"]], [["B-film", "O"]])


def test_bio_tags_part_neighbouring_entities():
    tags = [["B-art-film", "B-art-film", "I-art-film", "O"]]
    results = score(tags, tags, scheme="bio")
    assert (results["n_references"], results["per_type/art-film/f1"], results["per_coarse_type/art/f1"]) == (
        2,
        1.0,
        1.0,
    )


def test_class_ids_are_types_with_zero_for_outside():
    results = score([[0, 1, 1], [2]], [[0, 1, 1], [1]])
    assert (results["f1"], results["per_type/1/recall"], results["outer_error"]) == (0.5, 0.5, 0.5)


def test_class_ids_with_names_score_as_strings():
    predictions, references = [[0, 1, 1], [2]], [[0, 1, 1], [1]]
    as_strings = [[[TYPES[tag] for tag in sentence] for sentence in column] for column in (predictions, references)]
    results = score(predictions, references, label_names=TYPES)
    assert results == score(*as_strings)
    assert results["within_error"] == 0.5


def test_type_names_may_hold_slashes():
    tags = [["location-road/railway", "O"]]
    assert score(tags, tags)["per_type/location-road/railway/f1"] == 1.0


def test_scores_of_groups_are_returned_on_request():
    results = score([["art-film"], ["O"]], [["art-film"], ["art-film"]], groups=[7, 8], per_group=True)
    assert (results["per_group/7/f1"], results["per_group/8/f1"], results["per_group/8/fn_error"]) == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scheme": "iob"}, "scheme='iob' is not known. Give one of 'io', 'bio'"),
        ({"compat": "paper"}, "compat='paper' is not known. Give one of None, 'original'"),
        ({"compat": "original", "confidence_level": 0.9}, "needs at least 2 groups to resample, got 1"),
    ],
)
def test_wrong_options_are_refused_with_what_to_do(options, message):
    with pytest.raises(ValueError, match=message):
        score([["O"], ["O"]], [["O"], ["O"]], **options)


@pytest.mark.shared_data
def test_released_sentences_score_as_plain_loops_say(shared_data):
    text = (shared_data / "Few_TK" / "data" / "inter" / "test.txt").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if block.strip()][:2000]
    references = [[line.split("\t")[1].strip() for line in block.strip().split("\n")] for block in blocks]
    rng = random.Random(0)
    types = sorted({tag for tags in references for tag in tags})
    predictions = [[rng.choice(types) if rng.random() < 0.1 else tag for tag in tags] for tags in references]
    expected = few_nerd(predictions, references)
    results = score(predictions, references)
    assert {name: results[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert results["n_references"] > 1000
