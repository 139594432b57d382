"""Learns intents and slots of all training utterances as one set: FewJoint's encoder pre-training (strategy 1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from datasets import Dataset
from torch import nn
from transformers import PreTrainedTokenizerBase, Trainer, TrainingArguments

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.trainers.device_mixin import DeviceMixin
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.lean_step_mixin import LeanStepMixin
from hf_fewshot.trainers.whole_step_mixin import WholeStepMixin


@dataclass
class JointPretrainingArguments(TrainingArguments):
    """Arguments of `JointPretrainer`; a batch is a number of utterances."""

    learning_rate: float = field(default=5e-5, metadata={"help": "Learning rate of the encoder."})
    head_learning_rate: float = field(default=1e-3, metadata={"help": "Learning rate of the two classifiers."})
    per_device_train_batch_size: int = field(default=16, metadata={"help": "Utterances per process and step."})
    warmup_steps: float = field(default=0.1, metadata={"help": "Steps of linear warm-up, or their share if below 1."})
    weight_decay: float = field(default=0.01, metadata={"help": "Weight decay of all weights."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: words are needed whole."})


class JointClassifier(nn.Module):
    """The encoder of a joint model under classifiers of the training set's intents and tags.

    Intents are told apart by domain (a "QUERY" asks for other things elsewhere); slots of one name are one class.
    """

    def __init__(self, model: JointModel, utterances: Dataset) -> None:
        super().__init__()
        self.model = model
        intents = sorted(set(zip(utterances["domain"], utterances["intent"], strict=True)))
        tags = sorted({tag for own in utterances["slot_tags"] for tag in own})
        self.intent_number = {name: number for number, name in enumerate(intents)}
        self.tag_number = {name: number for number, name in enumerate(tags)}
        self.intents = nn.Linear(model.method.dim, len(intents))
        self.tags = nn.Linear(model.method.dim, len(tags))

    @property
    def base_model(self) -> nn.Module:
        """The encoder, as `transformers` calls it."""
        return self.model.base_model

    def gradient_checkpointing_enable(self, **options: Any) -> None:
        """Computes the layers of the encoder again for their gradients, instead of keeping what they gave."""
        self.model.gradient_checkpointing_enable(**options)

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        row_sequence: torch.Tensor,
        row_positions: torch.Tensor,
        utterance: torch.Tensor,
        intents: torch.Tensor,
        tags: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        """The loss over words (rows,), which are of the given utterances (rows,), and over utterances."""
        read = EncoderInputs(input_ids, attention_mask, row_sequence, row_positions)
        rows = self.model.dropout(self.model.encode(read))
        sums = rows.new_zeros(len(intents), rows.shape[1]).index_add(0, utterance, rows)
        means = sums / utterance.bincount(minlength=len(intents)).unsqueeze(1).to(rows.dtype)
        own = [(self.intents(means), intents), (self.tags(rows), tags)]
        losses = torch.stack([nn.functional.cross_entropy(scores.float(), labels) for scores, labels in own])
        return {"loss": losses.sum(), "means": losses}


class JointPretrainer(FiniteMixin, WholeStepMixin, LeanStepMixin, DeviceMixin, Trainer):
    """Trains the encoder of a `JointModel` in place on utterances with `domain`, `tokens`, `intent`, `slot_tags`."""

    args: JointPretrainingArguments
    classifier: Any
    processing_class: PreTrainedTokenizerBase

    def __init__(
        self,
        model: JointModel,
        args: JointPretrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: Dataset,
        **options: Any,
    ) -> None:
        if model.config.pairwise:
            raise ValueError("Pre-training on single utterances needs pairwise=False.")
        self.classifier = JointClassifier(model, train_dataset)
        self.builder = InputBuilder(processing_class, "words", model.config.max_length)
        super().__init__(
            model=self.classifier,
            args=args,
            processing_class=processing_class,
            train_dataset=train_dataset,
            data_collator=self.collate,
            **options,
        )

    def loss_counts(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        return torch.tensor([len(batch["intents"]), len(batch["tags"])])

    def collate(self, batch: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """Utterances as tensors."""
        inputs = EncoderInputs.padded(self.builder(batch), self.processing_class.pad_token_id)
        numbers, names = self.classifier.tag_number, self.classifier.intent_number
        lengths = torch.tensor([len(one["tokens"]) for one in batch])
        return {
            **inputs.by_name(),
            "utterance": torch.arange(len(batch)).repeat_interleave(lengths),
            "intents": torch.tensor([names[one["domain"], one["intent"]] for one in batch]),
            "tags": torch.tensor([numbers[tag] for one in batch for tag in one["slot_tags"]]),
        }

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """AdamW; the classifiers have their own learning rate."""
        if self.optimizer is None:
            owner: Any = self.classifier
            optimizer, options = self.get_optimizer_cls_and_kwargs(self.args, owner)
            upper = [*self.classifier.intents.parameters(), *self.classifier.tags.parameters()]
            groups = [
                {"params": [*self.classifier.model.encoder.parameters()], "lr": self.args.learning_rate},
                {"params": upper, "lr": self.args.head_learning_rate},
            ]
            self.optimizer = optimizer(groups, weight_decay=self.args.weight_decay, **options)
        return super().create_optimizer(model)
