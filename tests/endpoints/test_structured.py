"""Demonstrations and answers in the form of a schema."""

import json

import pytest

from hf_fewshot.endpoints.structured import conforms, response_format, shown, unwrapped
from hf_fewshot.tasks import task_of

ENTITIES = task_of("tagging").answer_schema(("person", "city"), None)
FRAME = task_of("joint").answer_schema(("INTENT-play", "SLOT-song"), None)


@pytest.mark.parametrize(
    ("text", "schema", "expected"),
    [
        ("a job", {"type": "string", "enum": ["a job", "[1]"]}, "a job"),
        ("[1]", {"type": "string", "enum": ["a job", "[1]"]}, "[1]"),
        ('["Paris", "Rome"]', task_of("spans").answer_schema((), None), ["Paris", "Rome"]),
        ('[["Anna Berg", "person"]]', ENTITIES, [{"text": "Anna Berg", "type": "person"}]),
        ("[]", ENTITIES, []),
    ],
)
def test_demonstrations_are_shown_in_the_form_of_the_answer(text, schema, expected):
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": text},
        {"role": "user", "content": "r"},
    ]
    found = shown(messages, schema)
    assert [turn["content"] for turn in (found[0], found[2])] == ["q", "r"]
    assert json.loads(found[1]["content"]) == {"answer": expected}
    assert messages[1]["content"] == text


def test_frames_have_their_slots_as_objects():
    text = json.dumps({"intent": "play", "slots": [["Yesterday", "song"]]})
    (turn,) = shown([{"role": "assistant", "content": text}], FRAME)
    wanted = {"intent": "play", "slots": [{"text": "Yesterday", "type": "song"}]}
    assert json.loads(turn["content"]) == {"answer": wanted}


def test_what_was_wrapped_is_unwrapped():
    assert unwrapped('{"answer": "job"}') == "job"
    assert unwrapped('{"answer": [{"text": "Anna", "type": "person"}]}') == '[{"text": "Anna", "type": "person"}]'
    for text in ("job", "{}", '{"answer": 1, "b": 2}', '["answer"]', '{"answer": '):
        assert unwrapped(text) is None
    assert response_format({"type": "string"})["json_schema"]["schema"]["required"] == ["answer"]


@pytest.mark.parametrize(
    ("text", "schema", "expected"),
    [
        ('{"answer": "job"}', {"type": "string", "enum": ["job"]}, True),
        ('{"answer": "boston"}', {"type": "string", "enum": ["job"]}, False),
        ('{"answer": [{"text": "Anna", "type": "person"}]}', ENTITIES, True),
        ('{"answer": [{"text": "Anna", "type": "river"}]}', ENTITIES, False),
        ('{"answer": [{"text": "Anna"}]}', ENTITIES, False),
        ('{"answer": [["Anna", "person"]]}', ENTITIES, False),
        ("job", {"type": "string"}, False),
    ],
)
def test_what_the_schema_does_not_allow_was_not_held_to_it(text, schema, expected):
    assert conforms(text, schema) is expected
