"""What systems share that are trained on a few rows of question and context, and asked questions afterwards."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from datasets import Dataset

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.registry import resolve
from hf_fewshot.systems.system import FROZEN, TUNED, Predictions, Setup, System
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.training_plan import trainer_arguments
from hf_fewshot.systems.work import Work

Model = tuple[Any, Any]  # a model and its tokenizer


class FoldSystem(System):
    """Trained on the training rows of a fold; the test rows are opened when that is done, without their answers.

    There is no validation set, unless the run's training asks for that of another fold.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        self.tokenizer = tokenizer

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return TUNED if is_trained else FROZEN

    @classmethod
    def fit(cls, work: Work) -> Self:
        rows = work.data.train_rows()
        validation_rows(work)  # what it is trained on names the model
        what = {"method": work.name, "options": dict(work.given), "data": dict(work.data.options)}
        found = trained(work, "model", what, cls.load, lambda checkpoints: cls.train(work, rows, checkpoints))
        return cls.made(work, found, rows)

    @classmethod
    def made(cls, work: Work, model: Model, rows: Dataset) -> Self:
        """The system of a trained model."""
        return cls(*model)

    @classmethod
    @abstractmethod
    def train(cls, work: Work, rows: Dataset, checkpoints: Path) -> Model:
        """A model trained on rows."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Model:
        """A trained model from its folder."""

    @abstractmethod
    def answers(self, questions: Sequence[dict[str, Any]]) -> list[list[str]]:
        """A set of answers to each row of question and context."""

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        self.model.to(setup.accelerator.device)
        rows = episodes.plain_examples
        return [self.answers([rows[number] for number in episode.query]) for episode in episodes]

    @classmethod
    def _train(cls, work: Work, checkpoints: Path, **given: Any) -> None:
        """Trains with the trainer of this system."""
        by = cls.trained_by(work.name)
        assert by is not None
        own = arguments(work, by.arguments, checkpoints, trainer_arguments(by, work.training))
        train_to_end(work, resolve(by.trainer)(args=own, eval_dataset=validation_rows(work), **given))


def validation_rows(work: Work) -> Dataset | None:
    """The rows of the fold that chooses the checkpoint, where there is one."""
    chosen = work.training is not None and work.training.validation is not None
    return work.data.validation_rows() if chosen else None
