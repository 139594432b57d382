"""The table of CLUES: means over folds beside trivial baselines, human performance and published systems."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from hf_fewshot.folds.baselines import BASELINES
from hf_fewshot.folds.result import FoldResult
from hf_fewshot.registry import unknown

TASKS = ("sst2", "mnli", "conll03", "wikiann", "squad", "record")
N_FOLDS = 5


@cache
def published() -> dict[str, dict[int, dict[str, float]]]:
    """S1 in percent by system, shots and task, with its source in the file."""
    file = Path(__file__).with_name("published_clues.yaml")
    return yaml.safe_load(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Summary:
    """Of a task and a number of shots: S1 in percent, mean and sample standard deviation over folds."""

    task: str
    shots: int
    n_folds: int
    mean: float
    std: float
    baselines: dict[str, float]


def summarise(results: Iterable[FoldResult]) -> list[Summary]:
    """A summary for each task and number of shots, in the order of the paper."""
    groups: dict[tuple[int, int], list[FoldResult]] = {}
    for result in results:
        if result.task not in TASKS:
            raise unknown("task of CLUES", result.task, TASKS)
        groups.setdefault((TASKS.index(result.task), result.shots), []).append(result)
    return [_summary(groups[key]) for key in sorted(groups)]


def _summary(results: Sequence[FoldResult]) -> Summary:
    folds = [result.fold for result in results]
    if len(set(folds)) != len(folds):
        raise ValueError(
            f"Several results of one fold of {results[0].task}, {results[0].shots} shots: folds {sorted(folds)}. "
            "Give one of each."
        )
    scores = [100 * result.s1 for result in results]
    return Summary(
        results[0].task,
        results[0].shots,
        len(scores),
        statistics.mean(scores),
        statistics.stdev(scores) if len(scores) > 1 else 0.0,
        {name: 100 * statistics.mean(result.baselines[name] for result in results) for name in BASELINES},
    )


def aggregate(summaries: Sequence[Summary]) -> tuple[float, float]:
    """The score over tasks: the mean of their means, and the root of the sum of their variances, as CLUES gives it."""
    if len({summary.shots for summary in summaries}) != 1:
        raise ValueError(f"Expected tasks with one number of shots, got {sorted({s.shots for s in summaries})}.")
    return statistics.mean(s.mean for s in summaries), math.sqrt(sum(s.std**2 for s in summaries))


def clues_table(results: Iterable[FoldResult], systems: Sequence[str] = ("human", "BERT-base fine-tuning")) -> str:
    """The results as Markdown, each score beside the trivial baselines and the published systems.

    Fewer than five folds are marked with how many there are: a submission has all of them.
    """
    for system in systems:
        if system not in published():
            raise unknown("published system", system, published())
    summaries = summarise(results)
    heads = ["task", "shots", "S1", *(name.replace("_", " ") for name in BASELINES), *systems]
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for shots in sorted({summary.shots for summary in summaries}):
        own = [summary for summary in summaries if summary.shots == shots]
        rows += [_row(summary, systems) for summary in own]
        if len(own) > 1:
            mean, spread = aggregate(own)
            theirs = [_mean([published()[system].get(shots, {}).get(s.task) for s in own]) for system in systems]
            trivial = [_mean([summary.baselines[name] for summary in own]) for name in BASELINES]
            label = "all" if len(own) == len(TASKS) else f"these {len(own)}"
            rows.append([label, str(shots), f"{mean:.2f} +- {spread:.2f}", *trivial, *theirs])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(summary: Summary, systems: Sequence[str]) -> list[str]:
    folds = "" if summary.n_folds == N_FOLDS else f" ({summary.n_folds} of {N_FOLDS} folds)"
    theirs = [_mean([published()[system].get(summary.shots, {}).get(summary.task)]) for system in systems]
    score = f"{summary.mean:.2f} +- {summary.std:.2f}{folds}"
    return [summary.task, str(summary.shots), score, *(f"{v:.2f}" for v in summary.baselines.values()), *theirs]


def _mean(scores: Sequence[float | None]) -> str:
    """The mean of published scores, or nothing where one is not known."""
    known = [score for score in scores if score is not None]
    return f"{statistics.mean(known):.2f}" if len(known) == len(scores) else ""
