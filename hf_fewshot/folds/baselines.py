"""What can be scored without understanding anything: the trivial baselines of S1."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hf_fewshot.registry import resolve

Rows = Sequence[dict[str, Any]]


def always_empty(train: Rows, questions: Rows) -> list[list[str]]:
    """Never answers: right wherever there is no answer."""
    return [[] for _ in questions]


def most_frequent(train: Rows, questions: Rows) -> list[list[str]]:
    """Always the set of answers that most training rows have; of equals, the first."""
    counts = Counter(tuple(sorted(row["answers"])) for row in train)
    (answers, _), *_ = counts.most_common(1)
    return [list(answers) for _ in questions]


def every_label(train: Rows, questions: Rows) -> list[list[str]]:
    """All training answers that stand in the question: both labels of SST-2 score 0.67, the three of MNLI 0.5."""
    known = dict.fromkeys(answer for row in train for answer in row["answers"])
    return [[answer for answer in known if answer in row["question"]] for row in questions]


BASELINES = {baseline.__name__: baseline for baseline in (always_empty, most_frequent, every_label)}


def baseline_scores(train: Rows, questions: Rows, references: Sequence[Sequence[str]]) -> dict[str, float]:
    """S1 of each baseline."""
    return {name: s1(predict(train, questions), references) for name, predict in BASELINES.items()}


def s1(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The score of CLUES, as its authors compute it."""
    return float(resolve("hf_fewshot.metrics.s1.scoring:score")(predictions, references)["s1"])
