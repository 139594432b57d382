"""What an example of a task is made of, as the page writes it: a class above it, marks within it, or both."""

from typing import NamedTuple

from hf_fewshot.labelled.columns import ENTITIES
from hf_fewshot.tasks.relation import SIDES
from hf_fewshot.tasks.task import ClassColumn, Task


class Shape(NamedTuple):
    """The parts of an example.

    Args:
        label: the column of its class, which stands above it; None: it has none.
        tags: the column of its entities, which are marked; None: it has none.
        sides: entities that are marked and have to be there, such as head and tail.
    """

    label: ClassColumn | None
    tags: ClassColumn | None
    sides: tuple[str, ...]

    @property
    def has_marks(self) -> bool:
        """Whether brackets mean something."""
        return self.tags is not None or bool(self.sides)

    @property
    def entities(self) -> str:
        """What a labelled row with character offsets calls the entities."""
        return ENTITIES["tags" if self.tags is None else self.tags.name]


def shape_of(task: Task) -> Shape:
    """The shape of a task's examples; ValueError for a task whose examples cannot be written in this way."""
    labels = [column for column in task.class_columns if not column.is_tags]
    tags = [column for column in task.class_columns if column.is_tags]
    has_words = {"text", "tokens"} & task.columns.keys()
    known = all(column.name in ENTITIES for column in tags)
    if not has_words or not task.class_columns or len(labels) > 1 or len(tags) > 1 or not known:
        raise ValueError(f"Examples of task {task.name!r} cannot be written on a page like this one.")
    sides = tuple(name for name in SIDES if name in task.columns)
    return Shape(next(iter(labels), None), next(iter(tags), None), sides)
