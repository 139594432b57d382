"""Turns a supervised dataset into a few-shot one: disjoint classes for training, validation and test.

The transformation of Few-Shot TACRED (Sabo et al., 2021, Section 3) and of Few-NERD (Ding et al., 2021, Section 4)
where the data has splits: every example stays in its own, and what does not belong to its split's classes becomes
none-of-the-above, or O. Where it has none, an example goes to the split of its class, so that all of them stay.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from datasets import Dataset, DatasetDict
from datasets.utils import logging

from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.labelled.reading import labelled_rows
from hf_fewshot.registry import TASKS, suggestion
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA, OUTSIDE
from hf_fewshot.tasks.schemas import example_features, table_of
from hf_fewshot.tasks.tags import split_tags

logger = logging.get_logger("hf_fewshot")

SPLITS = (TRAIN, VALIDATION, TEST)
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
        data: a dataset, whose rows then go to the split of their class; or a DatasetDict with train, validation and
            test, whose rows stay where they are.
        task: "tagging" (tokens, tags), "relation" (tokens, head, tail, relation) or "classification" (text, label);
            `read_labelled` says in which other ways rows may be written.
        columns: names of the columns in `data` that differ from the schema's, such as `{"label": "category"}`.
        classes: the classes of each split; default: drawn at random by `shares` and `seed`.
        shares: of classes, for train, validation and test; and of rows that belong to no class of any split.
        other: the class that means "none" in `data`, if it has one; it is never a target.
        nota: the label of examples whose class belongs to another split, and of `other`.
        seed: of the random splits; another seed gives another split.

    Returns:
        Datasets in the schema of `task` (see `hf_fewshot.tasks.schemas`). Labels are strings. A sentence with types of
        several splits goes to that of its rarest one. Tags of other splits' types become O, and sentences without an
        entity are left out.
    """
    known = [name for name in TASKS if len(task_of(name).class_columns) == 1]
    if task not in known:
        raise ValueError(f"Unknown task {task!r}. {suggestion(task, known)}")
    require_shares(shares)
    features = example_features(task)
    if isinstance(data, DatasetDict):
        if set(data) != set(SPLITS):
            raise ValueError(
                f"A DatasetDict must have the splits {', '.join(SPLITS)}, but has {', '.join(data)}. Rename them."
            )
        rows = {split: labelled_rows(data[split], task, columns or {}, f"{split}-") for split in SPLITS}
        tables = {split: table_of(rows[split], features) for split in SPLITS}
        chosen = _class_sets(list(tables.values()), task, classes, shares, other, seed)
    else:
        whole = table_of(labelled_rows(data, task, columns or {}), features)
        chosen = _class_sets([whole], task, classes, shares, other, seed)
        tables = _by_class(whole, task, chosen, shares, seed)
    (column,) = task_of(task).class_columns
    result = {}
    for split, table in tables.items():
        own = chosen[split]
        relabel = (
            _relabel_tags(table, own, split) if column.is_tags else _relabel(table, column.name, own, other, nota)
        )
        result[split] = relabel
    return DatasetDict(result)


def require_shares(shares: Sequence[float]) -> None:
    """Three parts of one."""
    if len(shares) != 3 or min(shares) < 0 or not np.isclose(sum(shares), 1):
        raise ValueError(f"shares must be three numbers that add up to 1, but are {tuple(shares)}.")


def drawn_classes(found: Sequence[str], shares: Sequence[float], seed: int) -> dict[str, list[str]]:
    """Classes drawn for train, validation and test; none of them may be left without."""
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


def by_group(table: Dataset, column: str, shares: Sequence[float], seed: int) -> DatasetDict:
    """The rows of each group (such as a domain, with labels of its own) in one split, drawn as classes are."""
    groups = np.array(table[column])
    chosen = drawn_classes(sorted({str(name) for name in groups}), shares, seed)
    return DatasetDict({s: table.select(np.flatnonzero(np.isin(groups, own))) for s, own in chosen.items()})


def _by_class(
    table: Dataset, task: str, chosen: Mapping[str, Sequence[str]], shares: Sequence[float], seed: int
) -> dict[str, Dataset]:
    """Each row in the split of its class, of several the rarest; what belongs to none, by shares."""
    index = index_examples(task, table)
    number = {name: split for split, names in enumerate(chosen.values()) for name in names}
    of_class = np.array([number.get(name, -1) for name in index.classes], dtype=np.int64)
    ends = np.round(np.cumsum(shares) * len(table)).astype(int)
    places = np.empty(len(table), dtype=np.int64)
    for split, rows in enumerate(np.split(np.random.default_rng([seed, 0]).permutation(len(table)), ends[:2])):
        places[rows] = split
    for row in range(len(table)):
        held = index.class_ids[index.offsets[row] : index.offsets[row + 1]]
        held = held[of_class[held] >= 0]
        if len(held):
            places[row] = of_class[held[np.argmin(index.totals[held])]]
    return {split: table.select(np.flatnonzero(places == n)) for n, split in enumerate(chosen)}


def _class_sets(
    tables: Sequence[Dataset],
    task: str,
    classes: Mapping[str, Iterable[str]] | None,
    shares: Sequence[float],
    other: str | None,
    seed: int,
) -> dict[str, list[str]]:
    present = {name for table in tables for name in index_examples(task, table).classes}
    found = sorted(present - {other})
    if other is not None and other not in present:
        raise ValueError(f"other={other!r} does not occur in the data. {suggestion(other, found)}")
    if classes is None:
        return drawn_classes(found, shares, seed)
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


def _relabel_tags(table: Dataset, own: list[str], split: str) -> Dataset:
    kept = set(own)
    distinct = sorted({tag for tags in table["tags"] for tag in tags})
    types, _ = split_tags(distinct)
    new = {tag: tag if kind in kept else OUTSIDE for tag, kind in zip(distinct, types, strict=True)}
    rows = [{**row, "tags": [new[tag] for tag in row["tags"]]} for row in table.to_list()]
    left = [row for row in rows if any(tag != OUTSIDE for tag in row["tags"])]
    if len(left) < len(rows):
        logger.warning(
            f"{len(rows) - len(left)} of {len(rows)} sentences of {split} have no entity of its types: left out."
        )
    return table_of(left, table.features)
