"""Entities by character offsets."""

import re

import pytest

from hf_fewshot.labelled import LabelledError, read_labelled

TEXT = "Fly to New York, Anna-Lee."


def entity(start, end, kind="city", **more):
    return {"start": start, "end": end, "type": kind, **more}


def tagged(*entities, text=TEXT):
    (row,) = read_labelled([{"text": text, "entities": list(entities)}], "tagging")
    return list(zip(row["tokens"], row["tags"], strict=True))


def test_entities_of_a_text_are_tags_of_its_words():
    assert tagged(entity(17, 25, "person"), entity(7, 15, text="New York")) == [
        ("Fly", "O"),
        ("to", "O"),
        ("New", "B-city"),
        ("York", "I-city"),
        (",", "O"),
        ("Anna", "B-person"),
        ("-", "I-person"),
        ("Lee", "I-person"),
        (".", "O"),
    ]


def test_a_word_is_parted_where_an_entity_begins_or_ends_in_it():
    assert tagged(entity(0, 4), text="Bahnhof-West") == [
        ("Bahn", "B-city"),
        ("hof", "O"),
        ("-", "O"),
        ("West", "O"),
    ]


def test_white_space_around_an_entity_is_no_word_of_it():
    assert [tag for _, tag in tagged(entity(6, 16))] == ["O", "O", "B-city", "I-city", "I-city", "O", "O", "O", "O"]
    assert tagged(entity(2, 8), text="a  Rome ")[1] == ("Rome", "B-city")


def test_texts_without_entities_are_all_outside():
    assert tagged(text="Hello there!") == [("Hello", "O"), ("there", "O"), ("!", "O")]


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        (
            [entity(7, 15), entity(11, 16)],
            "row 0: expected entities without overlap, got 'New York' (7 to 15) and 'York",
        ),
        ([entity(7, 99)], "row 0: expected an entity that holds a word of the 26 characters, got start 7 and end 99"),
        ([entity(7, 7)], "holds a word of the 26 characters, got start 7 and end 7"),
        ([entity(6, 7)], "holds a word of the 26 characters, got start 6 and end 7. Count characters"),
        ([entity(-3, 7)], "got start -3 and end 7"),
        ([entity("7", 15)], 'expected an entity as {"start", "end", ...}, whole numbers, got'),
        ([entity(True, 15)], "whole numbers, got"),
        ([[7, 15, "city"]], 'expected an entity as {"start", "end", ...}, whole numbers, got [7, 15, "city"]'),
        ([entity(7, 15, " ")], "expected an entity with a type"),
        ([entity(7, 15, text="New York,")], "expected an entity 'New York,' at its offsets, got 'New York' from 7"),
    ],
)
def test_entities_that_are_not_in_the_text_are_refused(entities, message):
    with pytest.raises(LabelledError, match=re.escape(message)):
        tagged(*entities)


def test_entities_must_be_a_list():
    with pytest.raises(LabelledError, match=r'expected entities as a list of \{"start", "end", "type"\}, got null'):
        read_labelled([{"text": "a", "entities": None}], "tagging")


def test_a_relation_has_head_and_tail_by_characters_of_a_text_or_by_words():
    text = "Anna works at Acme Inc."
    by_text = {"text": text, "head": {"start": 0, "end": 4}, "tail": {"start": 14, "end": 22}, "relation": "works"}
    by_words = {
        "tokens": ["Anna", "works", "at", "Acme", "Inc", "."],
        "head": {"start": 0, "end": 1},
        "tail": {"mentions": [{"start": 3, "end": 5}], "text": "Acme Inc"},
        "relation": "works",
    }
    expected = {
        "id": "0",
        "tokens": ["Anna", "works", "at", "Acme", "Inc", "."],
        "head": {"text": "Anna", "id": "", "type": "", "mentions": [{"start": 0, "end": 1}]},
        "tail": {"text": "Acme Inc", "id": "", "type": "", "mentions": [{"start": 3, "end": 5}]},
        "relation": "works",
        "original_relation": "works",
    }
    assert read_labelled([by_text], "relation") == read_labelled([by_words], "relation") == [expected]


def test_an_utterance_has_slots_by_characters_of_its_text():
    rows = [
        {"text": "Fly to Rome", "intent": "fly", "slots": [entity(7, 11)]},
        {"text": "Hi", "intent": "greet", "slots": []},
    ]
    assert read_labelled(rows, "joint") == [
        {"id": "0", "domain": "", "tokens": ["Fly", "to", "Rome"], "intent": "fly", "slot_tags": ["O", "O", "B-city"]},
        {"id": "1", "domain": "", "tokens": ["Hi"], "intent": "greet", "slot_tags": ["O"]},
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"tokens": ["a", "b"], "head": {"start": 1, "end": 3}},
            "expected head with start and end within the 2 words",
        ),
        (
            {"tokens": ["a", "b"], "head": {"start": 1, "end": 1}},
            "expected head with start and end within the 2 words",
        ),
        ({"text": "a b", "head": {"start": 2, "end": 9}}, "expected head that holds a word of the 3 characters"),
        ({"text": "a b", "head": None}, 'expected head as {"start": ..., "end": ...}, got null'),
        ({"text": "a b", "head": {"start": 0, "end": 1, "id": 7}}, "expected id of head as text, got 7"),
    ],
)
def test_heads_that_are_not_in_the_sentence_are_refused(row, message):
    with pytest.raises(LabelledError, match=re.escape(f"row 0: {message}")):
        read_labelled([{"tail": {"start": 0, "end": 1}, "relation": "r", **row}], "relation")


def test_offsets_need_a_text():
    with pytest.raises(LabelledError, match="row 0: expected text as text, whose characters are counted, got a list"):
        read_labelled([{"text": ["a"], "entities": []}], "tagging")
