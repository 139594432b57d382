"""One fold of CLUES: what may be trained on, and what is asked afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import datasets
from datasets import Dataset

from hf_fewshot.data.builder import TEST, TRAIN
from hf_fewshot.folds.baselines import baseline_scores, s1

# What test rows say about their answers: no method sees it.
GOLD = ("answers", "answer_variants", "is_impossible", "plausible_answers")

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
    """A task of CLUES with 10, 20 or 30 shots and the number of one of its five training splits.

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

    def train(self) -> Dataset:
        """The training rows."""
        return self._read(TRAIN)

    def questions(self) -> Dataset:
        """The test rows without anything that says what their answers are."""
        rows = self._read(TEST)
        return rows.remove_columns([name for name in GOLD if name in rows.column_names])

    def test(self) -> Dataset:
        """The test rows with their answers, to score with."""
        return self._read(TEST)

    def references(self) -> list[list[str]]:
        """The answers to the questions."""
        return self.test()["answers"][:]

    def _read(self, split: str) -> Dataset:
        builder = datasets.load_dataset_builder("clues", self.task, shots=self.shots, fold=self.number, **self.source)
        return builder.read_alone(split)


def run_fold(fold: Fold, fit: Fit) -> FoldResult:
    """Trains a method on a fold, asks it the test questions, and scores its answers.

    Args:
        fit: takes training rows, returns a function from questions (rows without answers) to one list of answers each.
            The test rows are opened after it has returned.
    """
    train = fold.train()
    predict = fit(train)
    questions = fold.questions()
    _refuse_overlap(fold, train, questions)
    predictions = [list(answers) for answers in predict(questions)]
    if len(predictions) != len(questions):
        raise ValueError(f"The method gave {len(predictions)} lists of answers to {len(questions)} questions.")
    references = fold.references()
    return FoldResult(
        s1=s1(predictions, references),
        baselines=baseline_scores(list(train), list(questions), references),
        predictions=dict(zip(questions["id"], predictions, strict=True)),
    )


def _refuse_overlap(fold: Fold, train: Dataset, questions: Dataset) -> None:
    """A training row that is also a test row makes a score worthless."""
    asked = {(tuple(row["context"]), row["question"]) for row in questions}
    common = [row["id"] for row in train if (tuple(row["context"]), row["question"]) in asked]
    if common:
        raise ValueError(
            f"{len(common)} training rows of clues/{fold.task}, {fold.shots} shots, fold {fold.number} are also test "
            f"rows: {', '.join(common[:5])}. The published files have none: check data_dir."
        )
