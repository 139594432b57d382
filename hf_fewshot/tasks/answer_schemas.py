"""JSON schemas of answers, in the strict form that servers ask for."""

from collections.abc import Iterable
from typing import Any

TEXT: dict[str, Any] = {"type": "string"}


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """One of the names; any text where there are none, for no server takes an empty enumeration."""
    known = list(names)
    return {**TEXT, "enum": known} if known else TEXT


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    """A list of any length."""
    return {"type": "array", "items": items}


def object_of(**properties: dict[str, Any]) -> dict[str, Any]:
    """An object with these properties and no other."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
