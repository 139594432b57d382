"""What trainers of CLUES' strategies share: evaluation of sets of answers with S1."""

from collections.abc import Sequence
from typing import Any

from transformers import Trainer

from hf_fewshot.registry import resolve
from hf_fewshot.trainers.card_mixin import CardMixin
from hf_fewshot.trainers.device_mixin import DeviceMixin
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.lean_step_mixin import LeanStepMixin
from hf_fewshot.trainers.whole_step_mixin import WholeStepMixin


class AnswerTrainer(CardMixin, FiniteMixin, WholeStepMixin, LeanStepMixin, DeviceMixin, Trainer):
    """Base of trainers whose models answer rows of question and context with sets of texts."""

    task = "spans"

    def answers(self, rows: Sequence[dict[str, Any]]) -> list[list[str]]:
        """The answers of the model to each row."""
        raise NotImplementedError(f"{type(self).__name__} does not say how its model answers")

    def loss(self, rows: Sequence[dict[str, Any]]) -> float:
        """The mean loss of the model on rows with answers."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its loss on other rows is")

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: Any = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """S1 on evaluation rows, and that of never answering; also the loss, where it chooses the checkpoint."""
        given: Any = self.eval_dataset if eval_dataset is None else eval_dataset
        if given is None:
            raise ValueError("Evaluation needs rows with question, context and answers: give eval_dataset.")
        rows = list(given)
        scores = resolve("hf_fewshot.metrics.s1.scoring:score")(self.answers(rows), [row["answers"] for row in rows])
        if self.args.metric_for_best_model in ("loss", "eval_loss"):
            scores["loss"] = self.loss(rows)
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in scores.items()}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics
