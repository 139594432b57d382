"""A train and a test split as one episode."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.schemas import example_features, table_of

SPLITS = {"episodes": "splits"}


def split_episode(
    task: str, train: Iterable[dict[str, Any]], test: Iterable[dict[str, Any]], classes: Iterable[str] = ()
) -> EpisodeSet:
    """One episode whose support set is `train` and whose queries are `test`, such as a fold of CLUES.

    Ids are made longer by a hash of the content: those of CLUES are the same in different folds. Rows without an id
    have their position, and without `classes` they are those that the rows to learn from show.
    """
    parts = {"train": list(train), "test": list(test)}
    if not parts["test"]:
        raise ValueError("The test split is empty; there is nothing to predict.")
    kind, features = task_of(task), example_features(task)
    rows = [_row(part, number, row, features) for part, own in parts.items() for number, row in enumerate(own)]
    table = table_of(rows, features)
    n_train = len(parts["train"])
    names = tuple(classes)
    if not names and kind.class_columns:
        names = kind.classes_in(rows[:n_train] or rows)
    episode = Episode(names, tuple(range(n_train)), tuple(range(n_train, len(rows))))
    return EpisodeSet(task, table, lambda _: episode, 1, None, dict(SPLITS))


def original_id(episodes: EpisodeSet, row: int) -> str:
    """The id of an example as its benchmark gives it."""
    identifier = episodes.example_ids[row]
    if episodes.spec != SPLITS:
        return identifier
    return identifier.partition("-")[2].rpartition("-")[0]


def _row(part: str, number: int, row: dict[str, Any], features: Iterable[str]) -> dict[str, Any]:
    row = {"id": str(number), **row}
    missing = [name for name in features if name not in row]
    if missing:
        raise ValueError(
            f"Row {number} of {part} lacks {', '.join(missing)}; it has {', '.join(row)}. "
            "hf_fewshot.read_labelled makes whole rows."
        )
    content = json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)
    identifier = f"{part}-{row['id']}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    return {**{name: row[name] for name in features}, "id": identifier}
