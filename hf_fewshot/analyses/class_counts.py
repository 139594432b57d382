"""How often classes occur, by the columns of a task that hold them."""

from dataclasses import dataclass

import numpy as np
from datasets import Dataset

from hf_fewshot.episodes.class_index import ClassIndex, index_labels, index_tags
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.task import ClassColumn


@dataclass(frozen=True)
class ClassCounts:
    """The classes of one column.

    Args:
        column: of the examples.
        index: which example holds which class how often; a run of one type of tags counts once.
    """

    column: ClassColumn
    index: ClassIndex

    @property
    def noun(self) -> str:
        """What a class is called: "entity" and "slot" of tags, else the name of the column."""
        return noun(self.column)

    @property
    def totals(self) -> dict[str, int]:
        """How often each class occurs."""
        return dict(zip(self.index.classes, self.index.totals.tolist(), strict=True))


def noun(column: ClassColumn) -> str:
    """What a class of a column is called."""
    return (column.name.removesuffix("tags").rstrip("_") or "entity") if column.is_tags else column.name


def class_counts(task: Task, examples: Dataset, nota_class: str | None = None) -> list[ClassCounts]:
    """The classes of each column that holds some.

    Args:
        nota_class: the class that stands for none of the others, such as no_relation; it is not counted among them.
    """
    table = examples.with_format("arrow")[:]
    found = []
    for column in task.class_columns:
        make = index_tags if column.is_tags else index_labels
        index = make(table[column.name])
        kept = [name for name in index.classes if name != nota_class]
        found.append(ClassCounts(column, index if len(kept) == len(index.classes) else make(table[column.name], kept)))
    return found


def lengths(task: Task, examples: Dataset) -> np.ndarray:
    """The number of words of each example."""
    return np.array([task.n_words(row) for row in examples], dtype=np.int64)


def shares(counts: dict[str, int]) -> tuple[float, ...]:
    """The shares of classes that occur, in percent, the most frequent first."""
    found = np.sort(np.array(list(counts.values()), dtype=np.float64))[::-1]
    return tuple((100 * found[found > 0] / max(found.sum(), 1)).tolist())
