"""The aggregate of CLUES: one score over its tasks."""

from collections.abc import Iterable, Sequence

from hf_fewshot.dataset_scripts.clues.clues import TASKS, Clues
from hf_fewshot.statistics import mean_and_std, summed_std
from hf_fewshot.tables.family import Family
from hf_fewshot.tables.overview import Line, Overview
from hf_fewshot.tables.table import Value


def all_tasks(families: Iterable[Family]) -> list[Overview]:
    """Overviews over the tasks of CLUES, with the systems that were run on all of them, from tables of each task.

    A score is the mean of the tasks' means, its deviation the root of the sum of their variances, as CLUES gives them.
    """
    together: dict[tuple[str, ...], list[Family]] = {}
    for family in families:
        together.setdefault((*family.details, family.overview.measure), []).append(family)
    found = [_overview(members) for members in together.values() if len(members) > 1]
    return [one for one in found if one.lines]


def _overview(families: Sequence[Family]) -> Overview:
    tasks = [family.overview for family in families]
    columns = [column for column in tasks[0].columns if all(column in task.columns for task in tasks)]
    lines = [{(line.kind, line.system, line.encoder): line for line in task.lines} for task in tasks]
    means = []
    for system in lines[0]:
        if all(system in own for own in lines):
            scores = [
                [own[system].values[task.columns.index(column)] for task, own in zip(tasks, lines, strict=True)]
                for column in columns
            ]
            if any(values := tuple(map(_mean, scores))):
                means.append(Line(*system, values))
    which = "all" if len(tasks) == len(TASKS) else str(len(tasks))
    return Overview(", ".join([Clues.NAME, f"{which} tasks", *families[0].details]), tasks[0].measure, columns, means)


def _mean(scores: Sequence[Value | None]) -> Value | None:
    """The mean over tasks; None where a task has no score."""
    values = [score for score in scores if score is not None]
    if len(values) < len(scores):
        return None
    deviations = [value.std for value in values if value.std is not None]
    mean, _ = mean_and_std([value.mean for value in values])
    return Value(mean, summed_std(deviations) if len(deviations) == len(values) else None)
