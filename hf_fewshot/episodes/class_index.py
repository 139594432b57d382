"""Which examples hold which classes, as arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from datasets import Dataset

from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import split_tags


@dataclass(frozen=True)
class ClassIndex:
    """How often each class occurs in each example: a sparse matrix in compressed rows.

    Row `i` holds classes `class_ids[offsets[i]:offsets[i + 1]]`, ascending, `counts[...]` times each.
    """

    classes: tuple[str, ...]
    offsets: np.ndarray
    class_ids: np.ndarray
    counts: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def example_of_entry(self) -> np.ndarray:
        """The example each entry of `class_ids` belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def members(self) -> list[np.ndarray]:
        """For each class, the rows that hold it, ascending."""
        order = np.argsort(self.class_ids, kind="stable")
        ends = np.cumsum(np.bincount(self.class_ids, minlength=len(self.classes)))
        return np.split(self.example_of_entry[order], ends[:-1])

    @cached_property
    def totals(self) -> np.ndarray:
        """How often each class occurs in all examples together."""
        return np.bincount(self.class_ids, weights=self.counts, minlength=len(self.classes)).astype(np.int64)

    def table(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """How often each of `rows` holds each class: (rows, classes)."""
        table = np.zeros((len(rows), len(self.classes)), dtype=np.int64)
        for position, row in enumerate(rows):
            entries = slice(self.offsets[row], self.offsets[row + 1])
            table[position, self.class_ids[entries]] = self.counts[entries]
        return table

    @classmethod
    def from_entries(
        cls,
        n_examples: int,
        examples: np.ndarray,
        labels: np.ndarray,
        names: Sequence[str],
        classes: Iterable[str] | None,
    ) -> "ClassIndex":
        """From one (example, label) pair per occurrence; `labels` number into `names`.

        `classes` fixes order and choice of the classes; without it they are all of `names`, sorted.
        """
        order = tuple(classes) if classes is not None else tuple(sorted(set(names)))
        number = {name: i for i, name in enumerate(order)}
        renumber = np.array([number.get(name, -1) for name in names], dtype=np.int64)
        labels = renumber[labels] if len(labels) else labels.astype(np.int64)
        keep = labels >= 0
        keys, counts = np.unique(examples[keep] * max(len(order), 1) + labels[keep], return_counts=True)
        rows = keys // max(len(order), 1)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_examples))]).astype(np.int64)
        return cls(order, offsets, keys % max(len(order), 1), counts)


def index_labels(labels: Sequence[str] | pa.ChunkedArray, classes: Iterable[str] | None = None) -> ClassIndex:
    """One class per example."""
    codes, names = _encode(labels)
    return ClassIndex.from_entries(len(codes), np.arange(len(codes)), codes, names, classes)


def index_tags(tags: Sequence[Sequence[str]] | pa.ChunkedArray, classes: Iterable[str] | None = None) -> ClassIndex:
    """One class per entity: maximal runs of one type within a sentence (IO), or runs opened by `B-` (BIO).

    The scheme is BIO when every tag other than O begins with `B-` or `I-`.
    """
    column = tags if isinstance(tags, pa.ChunkedArray) else pa.chunked_array([pa.array(tags, pa.list_(pa.string()))])
    lengths = pc.list_value_length(column).to_numpy().astype(np.int64)
    codes, names = _encode(pc.list_flatten(column))
    types, begins = split_tags(names)
    type_names = sorted(set(types) - {OUTSIDE})
    number = {name: i for i, name in enumerate(type_names)} | {OUTSIDE: -1}
    type_of = np.array([number[name] for name in types] or [-1], dtype=np.int64)[codes]
    opens = np.array(begins or [False], dtype=bool)[codes]
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    changes = np.ones(len(codes), dtype=bool)
    changes[1:] = (type_of[1:] != type_of[:-1]) | (sentence[1:] != sentence[:-1])
    starts = (type_of >= 0) & (changes | opens)
    return ClassIndex.from_entries(len(lengths), sentence[starts], type_of[starts], type_names, classes)


def index_examples(task: str, examples: Dataset, classes: Iterable[str] | None = None) -> ClassIndex:
    """The index of an examples table of `task`.

    Where several columns hold classes (a joint example has an intent and slots), each class counts once per example.
    """
    columns = task_of(task).class_columns
    if not columns:
        raise ValueError(f"Examples of task {task!r} hold no classes; there is nothing to sample by.")
    if len(columns) == 1:
        column = _column(examples, columns[0].name)
        return index_tags(column, classes) if columns[0].is_tags else index_labels(column, classes)
    names: list[str] = []
    rows, labels = [], []
    for one in columns:
        column = _column(examples, one.name)
        index = index_tags(column) if one.is_tags else index_labels(column)
        rows.append(index.example_of_entry)
        labels.append(index.class_ids + len(names))
        names += [f"{one.prefix}{name}" for name in index.classes]
    return ClassIndex.from_entries(len(examples), np.concatenate(rows), np.concatenate(labels), names, classes)


def index_intent_tags(examples: Dataset) -> ClassIndex:
    """Joint examples by the labels that FewJoint's released episodes were drawn with.

    MetaDialog counts every combination of the intent with a tag (`QUERY-B-city`, `QUERY-I-city`, `QUERY-O`), and the
    bare intent where no slot is tagged, instead of the paper's intents and slot names.
    """
    tags = _column(examples, "slot_tags")
    lengths = pc.list_value_length(tags).to_numpy().astype(np.int64)
    tag_codes, tag_names = _encode(pc.list_flatten(tags))
    intents, intent_names = _encode(_column(examples, "intent"))
    rows = np.repeat(np.arange(len(lengths)), lengths)
    outside = np.array([name == OUTSIDE for name in tag_names], dtype=bool)
    has_slot = np.bincount(rows, weights=~outside[tag_codes], minlength=len(lengths)) > 0
    # Number 0 of the second factor is the bare intent.
    width = len(tag_names) + 1
    labels = intents[rows] * width + np.where(has_slot[rows], tag_codes + 1, 0)
    pairs = np.unique(np.stack([rows, labels], axis=1), axis=0)
    names = [f"{intent}-{tag}" if tag else intent for intent in intent_names for tag in ("", *tag_names)]
    present, numbers = np.unique(pairs[:, 1], return_inverse=True)
    return ClassIndex.from_entries(len(lengths), pairs[:, 0], numbers, [names[i] for i in present], None)


def _column(examples: Dataset, name: str) -> pa.ChunkedArray:
    return examples.with_format("arrow")[:][name]


def _encode(values: Sequence[str] | pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """Integer codes of strings, and the distinct strings they number into."""
    column = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([pa.array(values, pa.string())])
    encoded = pa.concat_arrays([pa.array([], pa.string()), *column.cast(pa.string()).chunks]).dictionary_encode()
    return encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary.to_pylist()
