"""Answers that a server holds to a JSON schema."""

import json
from collections.abc import Mapping
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
