"""A train and a test split as one episode."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.tasks.schemas import example_features, table_of

SPLITS = {"episodes": "splits"}


def split_episode(
    task: str, train: Iterable[dict[str, Any]], test: Iterable[dict[str, Any]], classes: Iterable[str] = ()
) -> EpisodeSet:
    """One episode whose support set is `train` and whose queries are `test`, such as a fold of CLUES.

    Ids are made longer by a hash of the content: those of CLUES are the same in different folds.
    """
    parts = {"train": list(train), "test": list(test)}
    if not parts["test"]:
        raise ValueError("The test split is empty; there is nothing to predict.")
    rows = [{**row, "id": _identifier(part, row)} for part, members in parts.items() for row in members]
    features = example_features(task)
    table = table_of([{name: row[name] for name in features} for row in rows], features)
    n_train = len(parts["train"])
    episode = Episode(tuple(classes), tuple(range(n_train)), tuple(range(n_train, len(rows))))
    return EpisodeSet(task, table, lambda _: episode, 1, None, dict(SPLITS))


def original_id(episodes: EpisodeSet, row: int) -> str:
    """The id of an example as its benchmark gives it."""
    identifier = episodes.example_ids[row]
    if episodes.spec != SPLITS:
        return identifier
    return identifier.partition("-")[2].rpartition("-")[0]


def _identifier(part: str, row: dict[str, Any]) -> str:
    content = json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)
    return f"{part}-{row['id']}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
