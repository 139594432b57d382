"""Fine-tuning of CLUES by span extraction over question and context (Mukherjee et al., 2021)."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase, TrainingArguments

from hf_fewshot.models.span_model import SET, SINGLE, SpanModel
from hf_fewshot.spans.inputs import SpanInputBuilder, Window, answer_spans, set_labels, single_labels, window_batch
from hf_fewshot.systems.spans import SpanSystem
from hf_fewshot.trainers.answer_trainer import AnswerTrainer

logger = logging.getLogger(__name__)


@dataclass
class SpanTrainingArguments(TrainingArguments):
    """Arguments of `SpanTrainer`; a batch is a number of windows. Defaults are those of CLUES.

    With 10 rows the defaults are three steps, which leave most encoders at the trivial answer; docs/clues.md has
    settings that learn.
    """

    learning_rate: float = field(default=5e-5, metadata={"help": "Learning rate of the encoder (paper: 5e-5)."})
    head_learning_rate: float | None = field(
        default=None, metadata={"help": "Learning rate of the new head; None: that of the encoder."}
    )
    num_train_epochs: float = field(default=3, metadata={"help": "Passes over the training rows (paper: 3)."})
    per_device_train_batch_size: int = field(
        default=16, metadata={"help": "Windows per process and step (paper: 16)."}
    )
    warmup_steps: float = field(default=0.1, metadata={"help": "Steps of linear warm-up, or their share if below 1."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: rows are made to windows."})
    metric_for_best_model: str | None = field(default="s1", metadata={"help": "Score that chooses the checkpoint."})


@dataclass(frozen=True)
class LabelledWindow:
    """A window with the segments of its passage's tokens, and which positions begin and end an answer (length, 2).

    For the set head all of them; for the single head those of one answer, which [CLS] is where there is none.
    """

    window: Window
    segments: np.ndarray
    labels: np.ndarray


def labelled_windows(
    builder: SpanInputBuilder, rows: Iterable[dict[str, Any]], head: str = SET
) -> list[LabelledWindow]:
    """The windows of training rows, with labels for a head.

    A row none of whose answers is a span of its question or context is left out: as a row without an answer it would
    teach what is false.
    """
    labels = single_labels if head == SINGLE else set_labels
    rows = list(rows)
    kept, lost = [], []
    for row, passage in zip(rows, builder.passages(rows), strict=True):
        spans = answer_spans(row, passage)
        if row["answers"] and not spans:
            lost.append(f"{row['id']} ({row['answers'][0]!r})")
            continue
        kept += [LabelledWindow(w, passage.segments, labels(w, spans)) for w in builder.windows(passage)]
    if lost:
        logger.warning(
            f"{len(lost)} of {len(rows)} training rows are left out, as none of their answers is in their question or "
            f"context: {', '.join(lost[:5])}{', ...' if len(lost) > 5 else ''}."
        )
    if not kept:
        raise ValueError(f"Expected training rows with answers in their question or context; none of {len(rows)} has.")
    return kept


class SpanCollator:
    """Labelled windows as a padded batch."""

    def __init__(self, padding: int) -> None:
        self.padding = padding

    def __call__(self, items: Sequence[LabelledWindow]) -> dict[str, torch.Tensor]:
        batch = window_batch([item.window for item in items], [item.segments for item in items], self.padding)
        labels = torch.zeros(*batch.input_ids.shape, 2, dtype=torch.bool)
        for own, item in zip(labels, items, strict=True):
            own[: len(item.labels)] = torch.from_numpy(item.labels)
        return replace(batch, labels=labels).by_name()


class SpanTrainer(AnswerTrainer):
    """Trains a `SpanModel` on rows with `question`, `context` and `answers`, with Adamax; evaluates with S1."""

    args: SpanTrainingArguments
    optimizer: torch.optim.Optimizer | None

    def __init__(
        self,
        model: SpanModel,
        args: SpanTrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: Any = None,
        **options: Any,
    ) -> None:
        own = model.config
        self.builder = SpanInputBuilder(processing_class, own.max_length, own.stride)
        super().__init__(
            model=model,
            args=args,
            processing_class=processing_class,
            train_dataset=None if train_dataset is None else labelled_windows(self.builder, train_dataset, own.head),
            data_collator=SpanCollator(processing_class.pad_token_id),
            **options,
        )

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """Adamax, with a learning rate of its own for the head."""
        if self.optimizer is None:
            owner = self.model if model is None else model
            parts: dict[bool, list[torch.nn.Parameter]] = {}
            for name, parameter in owner.named_parameters():
                if parameter.requires_grad:
                    parts.setdefault(name.startswith("head."), []).append(parameter)
            rates = {False: self.args.learning_rate, True: self.args.head_learning_rate or self.args.learning_rate}
            self.optimizer = torch.optim.Adamax(
                [{"params": own, "lr": rates[is_head]} for is_head, own in parts.items()],
                weight_decay=self.args.weight_decay,
            )
        return self.optimizer

    def loss_counts(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        return torch.tensor([len(batch["labels"])])

    def loss(self, rows: Sequence[dict[str, Any]]) -> float:
        """The mean over the windows of rows with answers."""
        return self.mean_loss(
            labelled_windows(self.builder, rows, self.accelerator.unwrap_model(self.model).config.head)
        )

    def answers(self, rows: Sequence[dict[str, Any]]) -> list[list[str]]:
        """The answers of the model as it is now."""
        return SpanSystem(self.accelerator.unwrap_model(self.model), self.processing_class).answers(rows)
