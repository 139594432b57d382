"""What can be scored without understanding anything: the trivial baselines of S1."""

from collections.abc import Sequence
from typing import Any

from hf_fewshot.registry import resolve
from hf_fewshot.tasks import task_of

Rows = Sequence[dict[str, Any]]


def baseline_scores(train: Rows, questions: Rows, references: Sequence[Sequence[str]]) -> dict[str, float]:
    """S1 of each baseline."""
    return {name: s1(predict(train, questions), references) for name, predict in task_of("spans").baselines.items()}


def s1(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The score of CLUES, as its authors compute it."""
    return float(resolve("hf_fewshot.metrics.s1.scoring:score")(predictions, references)["s1"])
