"""Supervised named entity recognition: BERT-Tagger of Few-NERD (Ding et al., 2021, Section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset
from transformers import (
    AutoModelForTokenClassification,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Trainer,
    TrainingArguments,
)

from hf_fewshot.encoding.inputs import InputBuilder, padded
from hf_fewshot.models.encoder_model import IGNORED, check_positions
from hf_fewshot.models.loading import load_model, load_tokenizer
from hf_fewshot.systems.tagger import TaggerSystem, score_tags
from hf_fewshot.trainers.card_mixin import CardMixin
from hf_fewshot.trainers.device_mixin import DeviceMixin
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.lean_step_mixin import LeanStepMixin
from hf_fewshot.trainers.whole_step_mixin import WholeStepMixin


@dataclass
class TaggerTrainingArguments(TrainingArguments):
    """Arguments of `TaggerTrainer`; a batch is a number of sentences."""

    per_device_train_batch_size: int = field(
        default=8, metadata={"help": "Sentences per process and step (paper: 8)."}
    )
    warmup_steps: float = field(default=0.1, metadata={"help": "Steps of linear warm-up, or their share if below 1."})
    weight_decay: float = field(default=0.01, metadata={"help": "Weight decay of all weights but biases and norms."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: words are needed whole."})
    metric_for_best_model: str | None = field(default="f1", metadata={"help": "Score that chooses the checkpoint."})
    max_length: int = field(
        default=128, metadata={"help": "Pieces of a sequence; longer sentences are cut into chunks."}
    )


def tagger_from_encoder(
    name_or_path: str | Path, sentences: Dataset
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A token classifier over the tags of training sentences, and its tokenizer."""
    tags = sorted({tag for row in sentences["tags"] for tag in row} - {"O"})
    names = ["O", *tags]
    model = load_model(
        AutoModelForTokenClassification,
        name_or_path,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        label2id={name: number for number, name in enumerate(names)},
    )
    return model, load_tokenizer(name_or_path)


class TaggerCollator:
    """Sentences as padded chunks; the first piece of each word carries its label."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, numbers: dict[str, int], max_length: int) -> None:
        self.builder = InputBuilder(tokenizer, "words", max_length)
        self.numbers = numbers
        self.padding = tokenizer.pad_token_id

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
        inputs = self.builder(rows)
        ids, mask = padded(inputs.sequences, self.padding)
        labels = torch.full_like(ids, IGNORED)
        unknown = sorted({tag for row in rows for tag in row["tags"]} - self.numbers.keys())
        if unknown:
            raise ValueError(f"The tags {unknown} are none of the model's: {sorted(self.numbers)}.")
        tags = np.array([self.numbers[tag] for row in rows for tag in row["tags"]])
        labels[torch.from_numpy(inputs.row_sequence), torch.from_numpy(inputs.row_positions[:, 0])] = torch.from_numpy(
            tags
        )
        return {"input_ids": ids, "attention_mask": mask, "labels": labels}


class TaggerTrainer(CardMixin, FiniteMixin, WholeStepMixin, LeanStepMixin, DeviceMixin, Trainer):
    """Trains a token classifier on sentences with `tokens` and `tags`, evaluates with entity F1."""

    args: TaggerTrainingArguments
    processing_class: PreTrainedTokenizerBase
    task = "tagging"

    def __init__(
        self,
        model: PreTrainedModel,
        args: TaggerTrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        **options: Any,
    ) -> None:
        check_positions(model, args.max_length)
        label2id: Any = model.config.label2id
        collator = TaggerCollator(processing_class, label2id, args.max_length)
        super().__init__(model=model, args=args, processing_class=processing_class, data_collator=collator, **options)

    def evaluate(
        self, eval_dataset: Dataset | None = None, ignore_keys: Any = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """Entity scores on evaluation sentences."""
        sentences = self.eval_dataset if eval_dataset is None else eval_dataset
        if sentences is None:
            raise ValueError("Evaluation needs sentences: give eval_dataset.")
        model = self.accelerator.unwrap_model(self.model)
        system = TaggerSystem(model, self.processing_class, self.args.max_length)
        predictions = system.tags(sentences["tokens"][:])
        scores = score_tags(predictions, sentences["tags"][:])
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in scores.items() if "/" not in name}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics
