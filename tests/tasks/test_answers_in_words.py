"""What models write, read strictly; nothing they can write is an error."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.tasks.answers_in_words import (
    first_line,
    parse_answers,
    parse_entities,
    parse_frame,
    parse_label,
    place,
)
from tests.written_answers import TOKENS, outputs

WORDS = {"positive": "great", "negative": "terrible", "NOTA": "none of the above"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("great", "positive"),
        ("  Terrible.\n\nReview: more", "negative"),
        ("\n\n'great'", "positive"),
        ('"None of the above."', "NOTA"),
        ("**great**", "positive"),
        ("greater", None),
        ("great or terrible", None),
        ("positive", None),
        ("", None),
        ("\n \n", None),
    ],
)
def test_labels_are_whole_lines(text, label):
    assert parse_label(text, WORDS) == label


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ('["Paris", "New York"]', ["Paris", "New York"]),
        (' []\nText: the "next" one', []),
        ('["a", "a", ""]', ["a"]),
        ('["a\\nb", "中"]', ["a\nb", "中"]),
        ('["Paris", "New Yo', None),
        ("Paris", None),
        ('"Paris"', None),
        ("[1]", None),
        ('[["Paris"]]', None),
        ('{"a": "b"}', None),
        ('["\\ud800"]', None),
        ("NaN", None),
        ("[" * 100_000, None),
        ("9" * 10_000, None),
        ("", None),
    ],
)
def test_answers_are_a_json_list_of_texts(text, answers):
    assert parse_answers(text) == answers


def test_entities_are_found_in_the_sentence():
    text = '[["Anna Berg", "person"], ["Paul", "person"], ["Paris", "place"], ["Paris\'s", "place"]]'
    tags = ["person", "person", "O", "person", "O", "place", "O", "place", "place", "O"]
    assert parse_entities(text, TOKENS, ["person", "place"]) == (tags, 0)


def test_entities_of_other_types_or_sentences_have_no_place():
    text = '[["Paul", "person"], ["Rome", "place"], ["Paris", "city"], ["Par", "place"], ["", "place"]]'
    assert parse_entities(text, TOKENS, ["person", "place"]) == (["O", "O", "O", "person", *["O"] * 6], 4)


def test_an_entity_before_the_last_one_is_found_too_but_no_word_is_taken_twice():
    spans, lost = place([("Paris", "b"), ("Anna", "a"), ("Anna", "a"), ("Paris", "b")], TOKENS, ["a", "b"])
    assert spans == [(5, 6, "b"), (0, 1, "a"), (7, 8, "b")]
    assert lost == 1


@pytest.mark.parametrize("text", ['{"Paul": "person"}', '[["Paul"]]', '[["Paul", 1]]', '["Paul", "person"]', "none"])
def test_entities_in_another_form_are_not_parsed(text):
    assert parse_entities(text, TOKENS, ["person"]) is None


def test_frames_have_an_intent_and_slots():
    tokens = list("订五张看台的票")
    text = '{"intent": "TICKET", "slots": [["五", "number"], ["看台", "seat"], ["内场", "seat"]]}'
    frame = {"intent": "TICKET", "slot_tags": ["O", "B-number", "O", "B-seat", "I-seat", "O", "O"]}
    assert parse_frame(text, tokens, ["TICKET"], ["number", "seat"]) == (frame, 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"intent": "OTHER", "slots": []}',
        '{"intent": ["TICKET"], "slots": []}',
        '{"intent": "TICKET"}',
        '{"intent": "TICKET", "slots": {}}',
        '{"intent": "TICKET", "slots": [], "more": 1}',
        "TICKET",
    ],
)
def test_frames_in_another_form_are_not_parsed(text):
    assert parse_frame(text, ["a"], ["TICKET"], ["x"]) is None


def test_the_first_line_with_text_counts():
    assert first_line("\n\r\n  a b \r\nc") == "a b"
    # Line separators that JSON leaves as they are do not end a line.
    assert parse_answers('["a\u2028b"]') == ["a\u2028b"]


@settings(max_examples=300, deadline=None)
@given(outputs(), st.lists(st.text(max_size=4), max_size=6))
def test_no_output_is_an_error(text, tokens):
    label = parse_label(text, WORDS)
    assert label is None or label in WORDS
    answers = parse_answers(text)
    assert answers is None or all(isinstance(answer, str) and answer for answer in answers)
    for sentence in (tokens, TOKENS):
        entities = parse_entities(text, sentence, ["person"])
        if entities is not None:
            assert len(entities[0]) == len(sentence)
            assert set(entities[0]) <= {"O", "person"}
        frame = parse_frame(text, sentence, ["a"], ["person"])
        assert frame is None or len(frame[0]["slot_tags"]) == len(sentence)
    # What was parsed can be written to a file.
    json.dumps([label, answers], ensure_ascii=False).encode()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True))
def test_answers_survive_being_written(answers):
    assert parse_answers(json.dumps(answers, ensure_ascii=False)) == answers
