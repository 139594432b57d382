"""Values in errors."""

from typing import Any

LENGTH = 80  # characters of a value in an error


def short(value: Any) -> str:
    """A value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= LENGTH else text[: LENGTH - 3] + "..."
