"""Tables of examples and of episodes: what their rows look like."""

from collections.abc import Iterable
from typing import Any

from datasets import Dataset, Features, List

from hf_fewshot.tasks import task_of


def example_features(task: str, extra: dict[str, Any] | None = None) -> Features:
    """The columns of an examples table of `task`, and those that a benchmark adds."""
    return task_of(task).features(extra)


def table_of(rows: Iterable[dict[str, Any]], features: Features) -> Dataset:
    """Rows as a table; unlike `Dataset.from_list` it may have none."""
    rows = list(rows)
    return Dataset.from_dict({name: [row[name] for row in rows] for name in features}, features=features)


def episode_features(task: str, extra: dict[str, Any] | None = None) -> Features:
    """The columns of a table with one whole, readable episode per row.

    `support` and `query` hold complete examples. Where an example has one label, `target` says which of `classes` it
    is; `len(classes)` stands for none of the above.
    """
    kind = task_of(task)
    member = {**kind.columns, **(extra or {}), **kind.member_columns()}
    return Features({**kind.episode_columns(), "support": List(member), "query": List(member)})
