"""Answers that a server holds to a JSON schema."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

NAME = "answer"


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What is sent. OpenAI wants an object at the root, and most answers are none: they are put into one."""
    wrapped = {
        "type": "object",
        "properties": {NAME: schema},
        "required": [NAME],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": NAME, "strict": True, "schema": wrapped}}


def shown(messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> list[dict[str, str]]:
    """A conversation whose earlier answers are in the form of the next one: models do as they are shown."""
    return [
        {**turn, "content": json.dumps({NAME: _conformed(turn["content"], schema)}, ensure_ascii=False)}
        if turn["role"] == "assistant"
        else dict(turn)
        for turn in messages
    ]


def _conformed(text: str, schema: Mapping[str, Any]) -> Any:
    """An answer as the schema has it, from the words of a demonstration."""
    return text if schema["type"] == "string" else _fitted(json.loads(text), schema)


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    if schema["type"] == "array":
        return [_fitted(one, schema["items"]) for one in value]
    if schema["type"] != "object":
        return value
    properties = schema["properties"]
    # A pair of text and type, which demonstrations show as a list.
    named = dict(zip(properties, value, strict=True)) if isinstance(value, list) else value
    return {name: _fitted(named[name], own) for name, own in properties.items()}


def unwrapped(text: str) -> str | None:
    """The answer in the words that a task reads; None: the text is not of the form that was asked for."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or list(found) != [NAME]:
        return None
    answer = found[NAME]
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def conforms(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether a text is an answer as the schema allows it; some servers take a schema and do not mind it."""
    try:
        found = json.loads(text)
        return list(found) == [NAME] and _allowed(found[NAME], schema)
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


def _allowed(value: Any, schema: Mapping[str, Any]) -> bool:
    if schema["type"] == "array":
        return isinstance(value, list) and all(_allowed(one, schema["items"]) for one in value)
    if schema["type"] == "object":
        own = schema["properties"]
        return isinstance(value, dict) and value.keys() == own.keys() and all(_allowed(value[k], own[k]) for k in own)
    return isinstance(value, str) and value in schema.get("enum", (value,))
