"""Labelled rows as a source has them, before they are those of a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class LabelledError(ValueError):
    """Labelled data of one's own that cannot be read: where, what was expected, what came, what to do."""

    def __init__(self, place: str, expected: str, got: str, remedy: str) -> None:
        super().__init__(f"{place}: expected {expected}, got {got}. {remedy}")
        self.details = (place, expected, got, remedy)

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker process hands its error over by pickle, which would call __init__ with the message alone.
        return type(self), self.details


@dataclass(frozen=True)
class Given:
    """Rows of a source.

    Args:
        name: of the source, for messages.
        rows: as they are.
        places: where each of them is, for messages.
        columns: the names of all columns.
        class_names: of columns that hold numbers of classes, their names.
        is_text: whether every cell is text, as in a CSV file: lists and objects are then written in JSON.
    """

    name: str
    rows: Sequence[Mapping[str, Any]]
    places: Sequence[str]
    columns: tuple[str, ...]
    class_names: Mapping[str, list[str]] = field(default_factory=dict)
    is_text: bool = False
