"""Episodes that somebody has as rows, such as those of `datasets.load_dataset`."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from datasets import Dataset

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.tasks import Task, usable_tasks
from hf_fewshot.text.short_value import short

# What `predict` and `score` take for episodes.
Episodes: TypeAlias = EpisodeSet | Dataset | Sequence[Mapping[str, Any]] | Mapping[str, Any]

EXPECTED = (
    "Expected episodes: those of hf_fewshot.load_episodes, or rows with support and query as load_dataset gives them."
)


def episode_set(given: Episodes) -> EpisodeSet:
    """The compact form of a table of episodes, of a list of rows, of one row, or of what is in this form already."""
    if isinstance(given, EpisodeSet):
        return given
    rows = _rows(given)
    if not rows:
        raise ValueError(f"There are no episodes: the rows are empty. {EXPECTED}")
    return EpisodeSet.from_rows(_task_of(rows[0]).name, map(dict, rows))


def _rows(given: Any) -> Sequence[Mapping[str, Any]]:
    if isinstance(given, Mapping):
        if "support" not in given and any(isinstance(one, Dataset) for one in given.values()):
            split = next(iter(given))
            raise ValueError(f"These are splits: {', '.join(map(str, given))}. Take one of them, such as [{split!r}].")
        columns = {name: list(values) for name, values in given.items() if isinstance(values, list)}
        if any(isinstance(one, list) for one in columns.get("support", ())):  # rows of a table, as `dataset[:5]`
            return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        return [given]
    if isinstance(given, Dataset):
        given = given.with_format(None)
    if not isinstance(given, Dataset | Sequence) or isinstance(given, str):
        raise TypeError(f"{EXPECTED} Got {short(given)}.")
    return given


def _task_of(row: Any) -> Task:
    """The task whose columns a row and its examples have."""
    if not isinstance(row, Mapping) or not {"support", "query"} <= row.keys():
        what = f"rows with {', '.join(row)}" if isinstance(row, Mapping) else short(row)
        raise ValueError(
            f"{EXPECTED} Got {what}. Of a benchmark, say of which size episodes are to be, such as n_way=5, shots=1."
        )
    members = [*row["support"], *row["query"]]
    columns = set(members[0]) if members else set()
    fitting = [kind for kind in usable_tasks() if kind.columns.keys() <= columns and _head(kind) <= row.keys()]
    if not fitting:
        raise ValueError(
            f"The examples of these episodes have {', '.join(sorted(columns)) or 'no columns'}, which is those of no "
            "task. Make episodes with EpisodeSet.from_rows(task, rows)."
        )
    return max(fitting, key=lambda kind: len(kind.columns))


def _head(kind: Task) -> set[str]:
    return set(kind.episode_columns()) - {"index"}
