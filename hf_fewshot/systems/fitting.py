"""Which systems fit which tasks."""

from hf_fewshot.registry import BASELINE, METHODS, SYSTEMS
from hf_fewshot.tasks import task_of


def fits(name: str, task: str) -> bool:
    """Whether the system of a name can predict episodes of a task.

    Where the registry names no tasks: a method fits all whose examples have vectors to compare, a baseline those that
    have it, anything else all.
    """
    entry = SYSTEMS[name]
    if entry.tasks is not None:
        return task in entry.tasks
    if entry.reference == BASELINE:
        return name in task_of(task).baselines
    return bool(task_of(task).representations) if name in METHODS else True


def fitting(task: str) -> list[str]:
    """The names of all systems that fit a task."""
    return [name for name in SYSTEMS if fits(name, task)]
