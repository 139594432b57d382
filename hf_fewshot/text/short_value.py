"""Values in messages."""

from typing import Any


def short(value: Any, length: int = 80) -> str:
    """A value as Python writes it, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= length else text[: length - 3] + "..."
