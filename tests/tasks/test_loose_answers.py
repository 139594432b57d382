"""What models write around answers is read where it can mean one thing only."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_fewshot.tasks.loose_answers import loose_answers, loose_entities, loose_frame
from hf_fewshot.tasks.named_label import named_label
from hf_fewshot.tasks.wrapped_answers import bullets, json_values
from tests.written_answers import TOKENS, outputs

SENTIMENTS = {"positive": "positive", "negative": "negative"}
CLAIMS = {"entailment": "yes", "neutral": "maybe", "contradiction": "no"}
CARDS = {"lost": "lost", "lost_card": "lost card", "NOTA": "none of the above", "中": "积极"}


@pytest.mark.parametrize(
    "text",
    [
        "The answer is: positive.",
        "```\npositive\n```",
        '```json\n{"label": "positive"}\n```',
        "- Positive",
        "1. **positive**",
        "Sentiment: positive",
        "I would classify this review as **positive**.",
        "This is a positive review; positive indeed.",
        "Positive, because nothing is wrong with it.",
        "The tone is negative at first.\n\nAnswer: positive",
        "It begins negative, yet the **answer** is *positive*!",
        r"\boxed{positive}",
    ],
)
def test_a_sentence_that_names_one_label_is_that_label(text):
    assert named_label(text, SENTIMENTS) == "positive"


@pytest.mark.parametrize(
    "text",
    [
        "not positive",
        "The answer is not positive.",
        "I do not think that the answer is positive.",
        "It isn\u2019t positive.",
        "It is anything but positive.",
        "rather bland than positive",
        "non-positive",
        "positive-ish",
        "positive/mixed",
        "positiveness",
        "positive or negative",
        "Positive or rather neutral",
        "Is it positive?",
        "I cannot tell whether it is positive.",
        "Answer: positive\n\nReview: dull\nAnswer: negative",
        "The answer is positive. On the other hand, negative.",
        "Decide whether each film review is positive or negative.",
        "good",
        "",
    ],
)
def test_a_text_that_chooses_no_label_or_several_is_none(text):
    assert named_label(text, SENTIMENTS) is None


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("No, the claim is not true.", CLAIMS, "contradiction"),
        ("The answer is no.", CLAIMS, "contradiction"),
        ("It is not a yes.", CLAIMS, None),
        ("Yes, there is no doubt.", CLAIMS, None),
        ("It is about a lost\n card.", CARDS, "lost_card"),
        ("A card was lost.", CARDS, "lost"),
        ("A lost card is lost.", CARDS, None),
        ("I choose none of the above", CARDS, "NOTA"),
        ("答案是积极。", CARDS, "中"),
        ("不积极", CARDS, None),
        ("非常积极", CARDS, "中"),
    ],
)
def test_labels_that_are_negations_or_parts_of_others(text, words, label):
    assert named_label(text, words) == label


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ('```json\n["Paris", "Anna Berg"]\n```', ["Paris", "Anna Berg"]),
        ('Sure! The answers are ["Paris"].', ["Paris"]),
        ('{"answers": ["Paris"]}', ["Paris"]),
        ('["Paris"] or rather\n["Paris"]', ["Paris"]),
        ("- Paris\n- Anna Berg", ["Paris", "Anna Berg"]),
        ('The names are:\n\n1. "Paris"\n2. Anna Berg.', ["Paris", "Anna Berg"]),
        ("Paris", ["Paris"]),
        ("The answer is: **Paris**.", ["Paris"]),
        ("Final answer: Acme Inc.", ["Acme Inc."]),
        # More than one reading, or none.
        ('Not ["Rome"] but ["Paris"]', None),
        ('["Paris", "Anna Be', None),
        ('{"answers": ["Paris"], "reason": "it sta', None),
        ("- Paris\n- Rome", None),
        ("- Paris: the capital", None),
        ("Anna", ["Anna"]),
        ("Ann", None),
        ("Paris\nAnna Berg", None),
        ("Paris is the capital.", None),
        ("I do not know [1].", None),
        ("", None),
    ],
)
def test_answers_stand_in_json_or_word_for_word_in_the_text(text, answers):
    assert loose_answers(text, "Who?\nAnna Berg of Acme Inc. lives in Paris.") == answers


ENTITIES = ["person", "person", "O", "O", "O", "place", "O", "O", "O", "O"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n[\n  ["Anna Berg", "person"],\n  ["Paris", "place"]\n]\n```',
        'The entities are [["Anna Berg", "person"], ["Paris", "place"]].',
        '{"entities": [{"text": "Anna Berg", "type": "person"}, {"text": "Paris", "type": "place"}]}',
        '[{"entity": "Anna Berg", "label": "person", "start": 0}, {"entity": "Paris", "label": "place", "start": 5}]',
        '{"person": ["Anna Berg"], "place": "Paris"}',
        '{"Anna Berg": "person", "Paris": "place"}',
        "- Anna Berg (person)\n- Paris (place)",
        "Entities:\n* **Anna Berg**: person\n* Paris - place",
        "1. person: Anna Berg\n2. place: Paris",
    ],
)
def test_entities_are_read_in_the_forms_that_models_have_for_them(text):
    assert loose_entities(text, TOKENS, ["person", "place"]) == (ENTITIES, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Anna Berg is a person.",
        "- Anna Berg (person)\n- Rome (place)",
        "- Anna Berg (human)",
        "- person: place",
        '[["Anna Berg", "person"]] or [["Paul", "person"]]',
        '{"person": {"name": "Anna Berg"}}',
        '{"Anna Berg": ["person"]}',
        '[["Anna Berg", "person"], ["Par',
        '["Anna Berg", "person"]',
    ],
)
def test_entities_that_could_be_others_are_not_read(text):
    assert loose_entities(text, TOKENS, ["person", "place"]) is None


def test_no_entities_and_entities_without_a_place():
    assert loose_entities("There are none: []", TOKENS, ["person"]) == (["O"] * 10, 0)
    assert loose_entities('{"person": ["Rome"]}', TOKENS, ["person"]) == (["O"] * 10, 1)


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"intent": "TICKET",\n "slots": [["五", "number"]]}\n```',
        '{"frame": {"intent": "TICKET", "slots": [{"text": "五", "type": "number"}]}}',
        '{"intent": "TICKET", "slots": {"number": "五"}, "confidence": 0.9}',
        'Frame: {"intent": "TICKET", "slots": [{"slot": "number", "value": "五"}]}',
    ],
)
def test_frames_are_read_in_the_forms_that_models_have_for_them(text):
    expected = {"intent": "TICKET", "slot_tags": ["O", "B-number", "O"]}
    assert loose_frame(text, ["订", "五", "张"], ["TICKET"], ["number"]) == (expected, 0)


@pytest.mark.parametrize(
    "text", ["TICKET", '{"intent": "OTHER", "slots": {}}', '{"intent": "TICKET"}', '[{"intent": "TICKET"}]']
)
def test_frames_without_a_known_intent_and_slots_are_not_read(text):
    assert loose_frame(text, ["订"], ["TICKET"], ["number"]) is None


def test_json_is_found_in_a_text():
    assert list(json_values('see [1], {"a": [2]} and [x')) == [[1], {"a": [2]}]
    assert list(json_values("[" * 100_000)) == []
    assert list(json_values("[x" * 1000 + "[1]")) == []


@pytest.mark.parametrize("indent", [None, 1])
def test_no_part_of_json_that_is_cut_off_is_found(indent):
    value = {
        "entities": [["Anna", "person"], ["Paul\n", "person"]],
        "more": {"a": None, "b": [True, 2.5, [], "\u4e2d"]},
    }
    whole = json.dumps(value, indent=indent)
    assert list(json_values(f"so: {whole}")) == [value]
    assert [end for end in range(len(whole)) if list(json_values(f"so: {whole[:end]}"))] == []
    assert list(json_values(whole.replace('"more"', "more"))) == []


def test_bullets_are_a_list_only_if_all_lines_have_one():
    assert bullets("Names:\n- a\n\n2) `b`") == ["a", "b"]
    assert bullets("- a\nand b") == []
    assert bullets("-5") == []
    assert bullets("") == []


@settings(max_examples=300, deadline=None)
@given(outputs(), st.lists(st.text(max_size=4), max_size=6))
def test_no_output_is_an_error(text, tokens):
    label = named_label(text, CARDS)
    assert label is None or label in CARDS
    answers = loose_answers(text, "".join(tokens))
    assert answers is None or all(isinstance(answer, str) and answer for answer in answers)
    for sentence in (tokens, TOKENS):
        entities = loose_entities(text, sentence, ["person"])
        assert entities is None or (len(entities[0]) == len(sentence) and set(entities[0]) <= {"O", "person"})
        frame = loose_frame(text, sentence, ["a"], ["person"])
        assert frame is None or len(frame[0]["slot_tags"]) == len(sentence)
    # What was read can be written to a file.
    json.dumps([label, answers], ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "text",
    [
        "answer" + " " * 100_000,
        ("answer" + "*" * 500) * 200,
        "- a" + " " * 100_000 + "b",
        "- a - " + "b - " * 25_000,
        "none " * 20_000,
        '["a", ' * 20_000,
        "positive" + " " * 100_000 + "?",
    ],
    ids=range(7),
)
def test_long_texts_take_no_long_time(text):
    start = time.process_time()
    named_label(text, CARDS)
    loose_answers(text, "a b " * 100)
    loose_entities(text, TOKENS, ["a", "b"])
    loose_frame(text, TOKENS, ["a"], ["b"])
    assert time.process_time() - start < 2  # of what takes quadratic time, a minute
