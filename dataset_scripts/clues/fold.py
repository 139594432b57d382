"""One fold of CLUES: what may be trained on, and what is asked afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import datasets
from datasets import Dataset

from hf_fewshot.data.splits import TEST
from hf_fewshot.dataset_scripts.clues.clues import Clues
from hf_fewshot.registry import resolve
from hf_fewshot.tasks import task_of

Predict = Callable[[Dataset], Sequence[Sequence[str]]]
Fit = Callable[[Dataset], Predict]


@dataclass(frozen=True)
class FoldResult:
    """The score of one fold, those of the trivial baselines, and the predictions by the ids of test rows."""

    s1: float
    baselines: dict[str, float]
    predictions: dict[str, list[str]]


@dataclass(frozen=True)
class Fold:
    """A task of CLUES with 0, 10, 20 or 30 shots and the number of one of its five training splits.

    True few-shot: `train` opens the one raw file with this fold's training rows, neither another fold nor the test
    rows, and there is no validation set.

    Args:
        source: options of the benchmark that say where its raw files are and how they are read: `data_dir`, `sample`,
            `compat`.
    """

    task: str
    shots: int
    number: int
    source: dict[str, Any] = field(default_factory=dict)

    def builder(self) -> Clues:
        """The builder of its rows."""
        options = {"shots": self.shots, "fold": self.number, **self.source}
        return datasets.load_dataset_builder(Clues.NAME, self.task, **options)

    def train(self) -> Dataset:
        """The training rows."""
        return self.builder().fold_rows()

    def questions(self) -> Dataset:
        """The test rows without anything that says what their answers are."""
        return self.builder().questions()

    def test(self) -> Dataset:
        """The test rows with their answers, to score with."""
        return self.builder().read_alone(TEST)

    def references(self) -> list[list[str]]:
        """The answers to the questions."""
        return self.test()["answers"][:]


def run_fold(fold: Fold, fit: Fit) -> FoldResult:
    """Trains a method on a fold, asks it the test questions, and scores its answers.

    Args:
        fit: takes training rows, returns a function from questions (rows without answers) to one list of answers each.
            The test rows are opened after it has returned.
    """
    train = fold.train()
    predict = fit(train)
    questions = fold.questions()
    fold.builder().refuse_overlap(train, questions)
    predictions = [list(answers) for answers in predict(questions)]
    if len(predictions) != len(questions):
        raise ValueError(f"The method gave {len(predictions)} lists of answers to {len(questions)} questions.")
    references = fold.references()
    baselines = task_of(Clues.TASK).baselines
    return FoldResult(
        s1=s1(predictions, references),
        baselines={name: s1(answer(list(train), list(questions)), references) for name, answer in baselines.items()},
        predictions=dict(zip(questions["id"], predictions, strict=True)),
    )


def s1(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The score of CLUES, as its authors compute it."""
    return float(resolve("hf_fewshot.metrics.s1.scoring:score")(predictions, references)["s1"])
