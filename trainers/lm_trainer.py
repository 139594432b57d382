"""Trains an adapter of a language model on prompts with answers; the loss is that of the answers alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers import PreTrainedTokenizerBase, Trainer, TrainingArguments

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.batches import AnswerCollator, answer_loss
from hf_fewshot.trainers.card_mixin import CardMixin
from hf_fewshot.trainers.device_mixin import DeviceMixin
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.lean_step_mixin import LeanStepMixin
from hf_fewshot.trainers.whole_step_mixin import WholeStepMixin


@dataclass
class LmTrainingArguments(TrainingArguments):
    """Arguments of `LmTrainer`; a batch is a number of examples. Defaults are those of tuning on support sets."""

    learning_rate: float = field(default=5e-4, metadata={"help": "Learning rate of the adapter."})
    num_train_epochs: float = field(default=10, metadata={"help": "Passes over the examples."})
    per_device_train_batch_size: int = field(default=8, metadata={"help": "Examples per process and step."})
    warmup_steps: float = field(default=0.1, metadata={"help": "Steps of a rising rate; below 1: share of all steps."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: examples are tokens."})


class LmTrainer(CardMixin, FiniteMixin, WholeStepMixin, LeanStepMixin, DeviceMixin, Trainer):
    """Trains what of a causal language model learns, such as its adapter (see `hf_fewshot.adapters.lora`).

    Args:
        model: with an adapter.
        train_dataset: prompts with answers, from `answered_prompts`.
    """

    args: LmTrainingArguments

    def __init__(
        self,
        model: Any,
        args: LmTrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: Sequence[AnsweredPrompt] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            model=model,
            args=args,
            processing_class=processing_class,
            train_dataset=train_dataset,
            data_collator=AnswerCollator(model, processing_class),
            **options,
        )

    def loss_means(self, model: Any, inputs: dict[str, Any]) -> tuple[torch.Tensor, Any]:
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        return answer_loss(outputs, labels).reshape(1), outputs
