import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from hf_fewshot.episodes.class_index import index_examples, index_intent_tags, index_labels, index_tags
from hf_fewshot.tasks.schemas import example_features


def as_dicts(index):
    """The index as one {class: count} per example."""
    return [
        {index.classes[c]: int(n) for c, n in zip(index.class_ids[a:b], index.counts[a:b], strict=True)}
        for a, b in zip(index.offsets[:-1], index.offsets[1:], strict=True)
    ]


def test_io_tags_count_runs_of_one_type_within_a_sentence():
    index = index_tags([["art-film", "art-film", "O", "art-film", "person-actor"], ["person-actor", "O"], ["O"], []])
    assert index.classes == ("art-film", "person-actor")
    assert as_dicts(index) == [{"art-film": 2, "person-actor": 1}, {"person-actor": 1}, {}, {}]
    assert index.totals.tolist() == [2, 2]


def test_runs_do_not_cross_sentences():
    assert as_dicts(index_tags([["O", "X"], ["X", "O"]])) == [{"X": 1}, {"X": 1}]


def test_bio_tags_open_a_new_entity_at_each_b():
    assert as_dicts(index_tags([["B-city", "B-city", "I-city", "O", "I-city"]])) == [{"city": 3}]


def test_a_type_that_only_looks_like_bio_is_io():
    # Not every tag has a BIO prefix, so "B-cell" is the name of a type.
    assert as_dicts(index_tags([["B-cell", "B-cell", "virus"]])) == [{"B-cell": 1, "virus": 1}]


def test_given_classes_fix_order_and_choice():
    index = index_labels(["b", "a", "c", "a"], classes=["c", "a"])
    assert index.classes == ("c", "a")
    assert as_dicts(index) == [{}, {"a": 1}, {"c": 1}, {"a": 1}]
    assert [rows.tolist() for rows in index.members] == [[2], [1, 3]]


def test_a_joint_example_holds_its_intent_and_each_slot_once():
    examples = Dataset.from_list(
        [
            {"id": "1", "domain": "d", "tokens": ["a", "b", "c"], "intent": "ASK", "slot_tags": ["B-x", "O", "B-x"]},
            {"id": "2", "domain": "d", "tokens": ["a"], "intent": "TELL", "slot_tags": ["O"]},
        ],
        features=example_features("joint"),
    )
    assert as_dicts(index_examples("joint", examples)) == [{"intent:ASK": 1, "slot:x": 1}, {"intent:TELL": 1}]
    assert as_dicts(index_intent_tags(examples)) == [{"ASK-B-x": 1, "ASK-O": 1}, {"TELL": 1}]


@given(st.lists(st.lists(st.sampled_from(["O", "a", "b", "c"]), max_size=8), max_size=12))
def test_io_index_equals_a_plain_count(sentences):
    expected = []
    for tags in sentences:
        counts = {}
        for before, tag in zip(["O", *tags], tags, strict=False):
            if tag not in ("O", before):
                counts[tag] = counts.get(tag, 0) + 1
        expected.append(counts)
    assert as_dicts(index_tags(sentences)) == expected


@pytest.mark.parametrize("rows", [[], [0], [2, 0, 2]])
def test_table_is_the_dense_form(rows):
    index = index_tags([["a", "O", "a"], ["O"], ["b", "a"]])
    dense = np.array([[2, 0], [0, 0], [1, 1]])
    assert index.table(rows).tolist() == dense[rows].reshape(-1, 2).tolist()
