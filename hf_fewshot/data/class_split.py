"""Turns a supervised dataset into a few-shot one: disjoint classes for training, validation and test.

The transformation of Few-Shot TACRED (Sabo et al., 2021, Section 3) and of Few-NERD (Ding et al., 2021, Section 4):
every example stays in its split; what does not belong to its split's classes becomes none-of-the-above, or O.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict

from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.files.raw_files import described, misfit, shown
from hf_fewshot.registry import TASKS, suggestion
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA, OUTSIDE
from hf_fewshot.tasks.schemas import example_features, table_of
from hf_fewshot.tasks.tags import split_tags

SPLITS = ("train", "validation", "test")
SHARES = (0.6, 0.2, 0.2)


def to_few_shot(
    data: Dataset | DatasetDict,
    task: str,
    *,
    columns: Mapping[str, str] | None = None,
    classes: Mapping[str, Iterable[str]] | None = None,
    shares: Sequence[float] = SHARES,
    other: str | None = None,
    nota: str = NOTA,
    seed: int = 0,
) -> DatasetDict:
    """Splits a supervised dataset into train, validation and test with disjoint classes.

    Args:
        data: a dataset, whose rows are then split at random by `shares`; or a DatasetDict with train, validation and
            test, whose rows stay where they are.
        task: "tagging" (tokens, tags), "relation" (tokens, head, tail, relation) or "classification" (text, label).
        columns: names of the columns in `data` that differ from the schema's, such as `{"label": "category"}`.
        classes: the classes of each split; default: drawn at random by `shares` and `seed`.
        shares: of rows and of classes, for train, validation and test.
        other: the class that means "none" in `data`, if it has one; it is never a target.
        nota: the label of examples whose class belongs to another split, and of `other`.
        seed: of the random splits; another seed gives another split.

    Returns:
        Datasets in the schema of `task` (see `hf_fewshot.tasks.schemas`). Labels are strings. Tags of other splits'
        types become O, and sentences without an entity are left out.
    """
    known = [name for name in TASKS if len(task_of(name).class_columns) == 1]
    if task not in known:
        raise ValueError(f"Unknown task {task!r}. {suggestion(task, known)}")
    if len(shares) != 3 or min(shares) < 0 or not np.isclose(sum(shares), 1):
        raise ValueError(f"shares must be three numbers that add up to 1, but are {tuple(shares)}.")
    tables = _tables(data, task, columns or {}, shares, seed)
    chosen = _class_sets(tables, task, classes, shares, other, seed)
    result = {}
    for split, table in tables.items():
        own = chosen[split]
        (column,) = task_of(task).class_columns
        relabel = _relabel_tags(table, own) if column.is_tags else _relabel(table, column.name, own, other, nota)
        result[split] = relabel
    return DatasetDict(result)


def _tables(
    data: Dataset | DatasetDict, task: str, columns: Mapping[str, str], shares: Sequence[float], seed: int
) -> dict[str, Dataset]:
    """The rows of each split in the schema of the task. Missing ids say which row of `data` it was."""
    if isinstance(data, DatasetDict):
        if set(data) != set(SPLITS):
            raise ValueError(
                f"A DatasetDict must have the splits {', '.join(SPLITS)}, but has {', '.join(data)}. Rename them."
            )
        return {split: to_schema(data[split], task, columns, prefix=f"{split}-") for split in SPLITS}
    table = to_schema(data, task, columns)
    order = np.random.default_rng([seed, 0]).permutation(len(table))
    ends = np.round(np.cumsum(shares) * len(table)).astype(int)
    return {s: table.select(np.sort(part)) for s, part in zip(SPLITS, np.split(order, ends[:2]), strict=True)}


def to_schema(table: Dataset, task: str, columns: Mapping[str, str], prefix: str = "") -> Dataset:
    """The table with the columns of the task's schema; class numbers become names, missing ids positions."""
    schema = task_of(task).columns
    unknown = set(columns) - set(schema)
    if unknown:
        raise ValueError(f"{sorted(unknown)} are no columns of {task!r}. {suggestion(sorted(unknown)[0], schema)}")
    names = {name: columns.get(name, name) for name in schema}
    optional = {"id", "original_relation"}
    missing = [old for name, old in names.items() if old not in table.column_names and name not in optional]
    if missing:
        raise ValueError(
            f"The data lacks the columns {', '.join(missing)} for task {task!r}; it has "
            f"{', '.join(table.column_names)}. "
            "Say which is which with columns={name in the schema: name in the data}."
        )
    ((label, is_tags, *_),) = task_of(task).class_columns
    to_names = _class_names(table.features[names[label]])

    def convert(row: dict[str, Any], position: int) -> dict[str, Any]:
        new = {name: row[old] for name, old in names.items() if old in row}
        new["id"] = str(new.get("id", f"{prefix}{position}"))
        new[label] = _named(new[label], to_names, position)
        if is_tags and len(new[label]) != len(new["tokens"]):
            raise ValueError(f"Row {position} has {len(new['tokens'])} tokens, but {len(new[label])} tags.")
        if "original_relation" in names:
            new.setdefault("original_relation", new[label])
        _check_row(new, task, position)
        return new

    converted = [convert(row, position) for position, row in enumerate(table.to_list())]
    ids = [row["id"] for row in converted]
    if len(set(ids)) < len(ids):
        twice = next(name for name, count in Counter(ids).items() if count > 1)
        raise ValueError(
            f"The ids must be unique, but {twice!r} occurs twice. Leave the id column out to number the rows."
        )
    return table_of(converted, example_features(task))


def _check_row(row: dict[str, Any], task: str, position: int) -> None:
    """Words and labels are text, and entities are where words are; what entities are called may be left open."""
    entities = [name for name in ("head", "tail") if name in row]
    columns = {name: feature for name, feature in task_of(task).columns.items() if name not in entities}
    wrong = misfit(row, columns)
    if wrong is not None:
        raise ValueError(
            f"Row {position} must have {wrong} as {described(columns[wrong])}, but has {shown(row[wrong])}."
        )
    for name in entities:
        mentions = (row[name] or {}).get("mentions")
        if not mentions or not all(0 <= one["start"] < one["end"] <= len(row["tokens"]) for one in mentions):
            raise ValueError(
                f"Row {position} has {len(row['tokens'])} tokens, but its {name} is at {shown(mentions)}."
            )


def _named(value: Any, names: list[str] | None, position: int) -> Any:
    """A label, or a list of labels, as names."""
    if isinstance(value, list):
        return [_named(one, names, position) for one in value]
    if names is not None and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if names is not None or not isinstance(value, str):
        raise ValueError(f"Row {position} has the label {value!r}, which is no class. Leave the row out or label it.")
    return value


def _class_names(feature: Any) -> list[str] | None:
    inner = getattr(feature, "feature", feature)
    return list(inner.names) if hasattr(inner, "names") else None


def _class_sets(
    tables: dict[str, Dataset],
    task: str,
    classes: Mapping[str, Iterable[str]] | None,
    shares: Sequence[float],
    other: str | None,
    seed: int,
) -> dict[str, list[str]]:
    found = sorted({name for table in tables.values() for name in index_examples(task, table).classes} - {other})
    if other is not None and not any(other in index_examples(task, table).classes for table in tables.values()):
        raise ValueError(f"other={other!r} does not occur in the data. {suggestion(other, found)}")
    if classes is None:
        order = np.random.default_rng([seed, 1]).permutation(len(found))
        ends = np.round(np.cumsum(shares) * len(found)).astype(int)
        parts = dict(zip(SPLITS, np.split(order, ends[:2]), strict=True))
        empty = [split for split, share in zip(SPLITS, shares, strict=True) if share > 0 and not len(parts[split])]
        if empty:
            raise ValueError(
                f"{len(found)} classes and shares {tuple(shares)} leave no class for {', '.join(empty)}. "
                "Change shares, or give classes=."
            )
        return {split: sorted(found[c] for c in part) for split, part in parts.items()}
    chosen = {split: list(classes.get(split, ())) for split in SPLITS}
    seen: dict[str, str] = {}
    for split, names in chosen.items():
        for name in names:
            if name not in found:
                raise ValueError(
                    f"Class {name!r} of split {split!r} does not occur in the data. {suggestion(name, found)}"
                )
            if name in seen:
                raise ValueError(
                    f"Class {name!r} is in {seen[name]!r} and {split!r}; the classes of splits must be disjoint."
                )
            seen[name] = split
    return chosen


def _relabel(table: Dataset, column: str, own: list[str], other: str | None, nota: str) -> Dataset:
    if nota in own and nota != other:
        raise ValueError(f"nota={nota!r} is also the name of a class. Choose another name.")
    kept = set(own)
    rows = [{**row, column: row[column] if row[column] in kept else nota} for row in table.to_list()]
    return table_of(rows, table.features)


def _relabel_tags(table: Dataset, own: list[str]) -> Dataset:
    kept = set(own)
    distinct = sorted({tag for tags in table["tags"] for tag in tags})
    types, _ = split_tags(distinct)
    new = {tag: tag if kind in kept else OUTSIDE for tag, kind in zip(distinct, types, strict=True)}
    rows = [{**row, "tags": [new[tag] for tag in row["tags"]]} for row in table.to_list()]
    rows = [row for row in rows if any(tag != OUTSIDE for tag in row["tags"])]
    return table_of(rows, table.features)
