"""The table of CLUES: means over folds beside trivial baselines, human performance and published systems."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hf_fewshot.folds.baselines import BASELINES
from hf_fewshot.folds.result import FoldResult
from hf_fewshot.published import read_published
from hf_fewshot.registry import unknown
from hf_fewshot.statistics import mean_and_std, summed_std

TASKS = ("sst2", "mnli", "conll03", "wikiann", "squad", "record")
N_FOLDS = 5


def published() -> dict[str, dict[int, dict[str, float]]]:
    """Published S1 in percent by system, shots and task."""
    systems: dict[str, dict[int, dict[str, float]]] = {}
    for score in read_published("clues"):
        systems.setdefault(score.system, {}).setdefault(score.data["shots"], {})[score.config] = score.scores["s1"]
    return systems


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
    mean, std = mean_and_std([100 * result.s1 for result in results])
    return Summary(
        results[0].task,
        results[0].shots,
        len(results),
        mean,
        std or 0.0,
        {name: 100 * mean_and_std([result.baselines[name] for result in results])[0] for name in BASELINES},
    )


def aggregate(summaries: Sequence[Summary]) -> tuple[float, float]:
    """The score over tasks: the mean of their means, and the root of the sum of their variances, as CLUES gives it."""
    if len({summary.shots for summary in summaries}) != 1:
        raise ValueError(f"Expected tasks with one number of shots, got {sorted({s.shots for s in summaries})}.")
    return mean_and_std([s.mean for s in summaries])[0], summed_std([s.std for s in summaries])


def clues_table(results: Iterable[FoldResult], systems: Sequence[str] = ("human", "BERT-base fine-tuning")) -> str:
    """The results as Markdown, each score beside the trivial baselines and the published systems.

    Fewer than five folds are marked with how many there are: a submission has all of them.
    """
    known = published()
    for system in systems:
        if system not in known:
            raise unknown("published system", system, known)
    theirs = [known[system] for system in systems]
    summaries = summarise(results)
    heads = ["task", "shots", "S1", *(name.replace("_", " ") for name in BASELINES), *systems]
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for shots in sorted({summary.shots for summary in summaries}):
        own = [summary for summary in summaries if summary.shots == shots]
        rows += [_row(summary, theirs) for summary in own]
        if len(own) > 1:
            mean, spread = aggregate(own)
            beside = [_mean([scores.get(shots, {}).get(s.task) for s in own]) for scores in theirs]
            trivial = [_mean([summary.baselines[name] for summary in own]) for name in BASELINES]
            label = "all" if len(own) == len(TASKS) else f"these {len(own)}"
            rows.append([label, str(shots), f"{mean:.2f} +- {spread:.2f}", *trivial, *beside])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(summary: Summary, theirs: Sequence[dict[int, dict[str, float]]]) -> list[str]:
    folds = "" if summary.n_folds == N_FOLDS else f" ({summary.n_folds} of {N_FOLDS} folds)"
    beside = [_mean([scores.get(summary.shots, {}).get(summary.task)]) for scores in theirs]
    score = f"{summary.mean:.2f} +- {summary.std:.2f}{folds}"
    return [summary.task, str(summary.shots), score, *(f"{v:.2f}" for v in summary.baselines.values()), *beside]


def _mean(scores: Sequence[float | None]) -> str:
    """The mean of published scores, or nothing where one is not known."""
    known = [score for score in scores if score is not None]
    return f"{mean_and_std(known)[0]:.2f}" if len(known) == len(scores) else ""
