"""Tasks by their names."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from hf_fewshot.registry import TASKS, resolve, unknown
from hf_fewshot.tasks.task import Task


def task_of(name: str) -> Task:
    """The task of a name."""
    if name not in TASKS:
        raise unknown("task", name, TASKS)
    return _made(TASKS[name])


@cache
def _made(reference: str) -> Task:
    return resolve(reference)()


def usable_tasks() -> Iterator[Task]:
    """All tasks; one of others that cannot be imported is no reason for the rest to fail."""
    for name in TASKS:
        with suppress(ImportError):
            yield task_of(name)
