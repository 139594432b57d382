"""Text-to-text fine-tuning of CLUES: a model of the T5 family writes the answers (Mukherjee et al., 2021)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase, TrainingArguments

from hf_fewshot.encoding.inputs import padded
from hf_fewshot.models.encoder_model import IGNORED
from hf_fewshot.systems.text_to_text import TextToTextSystem, encode_sources, target_text
from hf_fewshot.trainers.answer_trainer import AnswerTrainer


@dataclass
class TextToTextTrainingArguments(TrainingArguments):
    """Arguments of `TextToTextTrainer`; a batch is a number of rows. Those of CLUES' code are in its recipes."""

    learning_rate: float = field(default=1e-4, metadata={"help": "Learning rate (usual for T5 with AdamW: 1e-4)."})
    num_train_epochs: float = field(default=20, metadata={"help": "Passes over the training rows."})
    per_device_train_batch_size: int = field(default=8, metadata={"help": "Rows per process and step."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: rows become texts."})
    metric_for_best_model: str | None = field(default="s1", metadata={"help": "Score that chooses the checkpoint."})
    max_source_length: int = field(default=512, metadata={"help": "Tokens of question and context; the rest is cut."})
    max_target_length: int = field(default=128, metadata={"help": "Tokens of all answers together."})
    adamax: bool = field(
        default=False, metadata={"help": "Adamax, as in the code of CLUES, in place of what `optim` says."}
    )
    num_beams: int = field(default=1, metadata={"help": "Beams of the generation; 1 is greedy."})


@dataclass(frozen=True)
class TextPair:
    """The tokens of a row's question and context, and those of its answers."""

    source: np.ndarray
    target: np.ndarray


def text_pairs(
    tokenizer: PreTrainedTokenizerBase, rows: Sequence[dict[str, Any]], max_source_length: int, max_target_length: int
) -> list[TextPair]:
    """Training rows as tokens. Answers that are too long are an error: cut off, they would be other answers."""
    if not rows:
        raise ValueError("Expected training rows, got none.")
    targets = tokenizer(text_target=[target_text(row) for row in rows], verbose=False)["input_ids"]
    for row, target in zip(rows, targets, strict=True):
        if len(target) > max_target_length:
            raise ValueError(
                f"The answers of row {row.get('id')!r} have {len(target)} tokens, more than max_target_length="
                f"{max_target_length}. Raise it."
            )
    sources = encode_sources(tokenizer, rows, max_source_length)
    return [TextPair(source, np.array(target)) for source, target in zip(sources, targets, strict=True)]


class TextToTextCollator:
    """Pairs of texts as a padded batch; `shift` makes the decoder's inputs from labels, as the model would."""

    def __init__(self, padding: int, shift: Callable[[torch.Tensor], torch.Tensor]) -> None:
        self.padding = padding
        self.shift = shift

    def __call__(self, pairs: Sequence[TextPair]) -> dict[str, torch.Tensor]:
        ids, mask = padded([pair.source for pair in pairs], self.padding)
        targets, inside = padded([pair.target for pair in pairs], self.padding)
        labels = targets.masked_fill(inside == 0, IGNORED)
        return {
            "input_ids": ids,
            "attention_mask": mask,
            "decoder_input_ids": self.shift(labels),
            "labels": labels,
        }


def token_loss(outputs: Any, labels: torch.Tensor, label_smoothing: float = 0.0) -> torch.Tensor:
    """The mean cross-entropy of target tokens, in full precision, which that of T5 itself is not."""
    scores = outputs.logits.flatten(0, 1).float()
    return torch.nn.functional.cross_entropy(
        scores, labels.flatten(), ignore_index=IGNORED, label_smoothing=label_smoothing
    )


class TextToTextTrainer(AnswerTrainer):
    """Trains an encoder-decoder on rows with `question`, `context` and `answers`; evaluates with S1."""

    args: TextToTextTrainingArguments
    optimizer: torch.optim.Optimizer | None

    def __init__(
        self,
        model: PreTrainedModel,
        args: TextToTextTrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: Any = None,
        **options: Any,
    ) -> None:
        if not model.config.is_encoder_decoder:
            raise ValueError(
                f"Text-to-text fine-tuning needs an encoder-decoder such as T5, got {type(model).__name__}. "
                "Load one with AutoModelForSeq2SeqLM."
            )
        shift: Any = model.prepare_decoder_input_ids_from_labels
        lengths = (args.max_source_length, args.max_target_length)
        rows = None if train_dataset is None else list(train_dataset)
        super().__init__(
            model=model,
            args=args,
            processing_class=processing_class,
            train_dataset=None if rows is None else text_pairs(processing_class, rows, *lengths),
            data_collator=TextToTextCollator(processing_class.pad_token_id, shift),
            **options,
        )

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """Adamax where it is asked for, else what the Trainer has."""
        if self.optimizer is None and self.args.adamax:
            owner = self.model if model is None else model
            weights = [parameter for parameter in owner.parameters() if parameter.requires_grad]
            self.optimizer = torch.optim.Adamax(
                weights, lr=self.args.learning_rate, weight_decay=self.args.weight_decay
            )
        return super().create_optimizer(model) if self.optimizer is None else self.optimizer

    def loss_means(self, model: Any, inputs: dict[str, Any]) -> tuple[torch.Tensor, Any]:
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        return token_loss(outputs, labels, self.args.label_smoothing_factor).reshape(1), outputs

    def answers(self, rows: Sequence[dict[str, Any]]) -> list[list[str]]:
        """What the model writes as it is now."""
        system = TextToTextSystem(
            self.accelerator.unwrap_model(self.model),
            self.processing_class,
            max_source_length=self.args.max_source_length,
            max_target_length=self.args.max_target_length,
            num_beams=self.args.num_beams,
        )
        return system.answers(rows)
