"""Runs as jobs: which of them one job does, and which other job it waits for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Job(NamedTuple):
    """What one task of an array does.

    Args:
        runs: their names, in the order in which they are done.
        after: the task that trains the model which these need: the number of one of the same array, or the id of one
            that was submitted earlier.
    """

    runs: tuple[str, ...]
    after: int | str | None = None


def planned_jobs(
    trainings: Mapping[str, str | None], underway: Mapping[str, str], runs_per_job: int, *, can_wait: bool = True
) -> list[Job]:
    """The jobs for runs: first those that train what others need, then what needs nobody, then the others.

    Args:
        trainings: what is to be submitted: names of runs, and what their training depends on (`training_of`).
        underway: ids of jobs that train a model already, by what its training depends on.
        runs_per_job: how many runs a job does, at most.
        can_wait: whether a job can wait for another and find its model; else one job does all runs that share one,
            however many.
    """
    together: dict[str, list[str]] = {}
    for name, training in trainings.items():
        # A run that trains nothing is by itself.
        together.setdefault(f"run {name}" if training is None else f"training {training}", []).append(name)
    alone: list[str] = []
    leading: list[Job] = []
    following: list[Job] = []
    for names in together.values():
        if not can_wait and len(names) > 1:
            leading.append(Job(tuple(names)))
            continue
        training = trainings[names[0]]
        first: int | str | None = None if training is None else underway.get(training)
        parts = _parts(names, runs_per_job)
        if len(names) == 1 and first is None:
            alone += names
            continue
        if first is None:
            first = len(leading)
            leading.append(Job(parts.pop(0)))
        following += [Job(part, first) for part in parts]
    return [*leading, *(Job(part) for part in _parts(alone, runs_per_job)), *following]


def _parts(names: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(names[begin : begin + size]) for begin in range(0, len(names), size)]
