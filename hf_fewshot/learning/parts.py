"""What is learned of examples: for each class column of their task its classes, and the class of each vector."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import shown_types, types_of
from hf_fewshot.tasks.task import ClassColumn, Task

Row = Mapping[str, Any]


class Part(NamedTuple):
    """A class column and its classes in order; of tags, O is the first."""

    column: ClassColumn
    classes: tuple[str, ...]

    def targets(self, rows: Sequence[Row]) -> np.ndarray:
        """The number of the class of each example, or of each word of all examples."""
        numbers = {name: number for number, name in enumerate(self.classes)}
        if not self.column.is_tags:
            return np.array([numbers[row[self.column.name]] for row in rows], dtype=np.int64)
        types = types_of(row[self.column.name] for row in rows)
        return np.array([numbers[types[tag]] for row in rows for tag in row[self.column.name]], dtype=np.int64)


def parts_of(task: Task, rows: Sequence[Row], known: Sequence[Part] = ()) -> tuple[Part, ...]:
    """The parts of examples; classes of `known` parts keep their numbers."""
    if not task.class_columns:
        raise ValueError(f"Examples of task {task.name!r} have no classes to be learned.")
    before = {part.column.name: part.classes for part in known}
    return tuple(Part(column, _classes(column, rows, before.get(column.name, ()))) for column in task.class_columns)


def _classes(column: ClassColumn, rows: Sequence[Row], before: Sequence[str]) -> tuple[str, ...]:
    if column.is_tags:
        found: Sequence[str] = (OUTSIDE, *shown_types(row[column.name] for row in rows))
    else:
        found = sorted({row[column.name] for row in rows})
    return (*before, *(name for name in found if name not in before))
