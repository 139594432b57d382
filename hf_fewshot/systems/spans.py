"""Span fine-tuning as a system: answers are spans of question and context."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModel

from hf_fewshot.encoding.evaluation_mode import evaluation_mode
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.models.encoder_model import check_positions
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.span_model import HEADS, SET, SINGLE, SpanModel
from hf_fewshot.spans.inputs import SpanInputBuilder
from hf_fewshot.spans.single_span import single_answers
from hf_fewshot.spans.span_set import answer_counts, set_answers
from hf_fewshot.systems.fold_system import FoldSystem, Model
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.system import ANOTHER_FOLD, Asked, TrainedBy
from hf_fewshot.systems.work import Work

TRAINER = "hf_fewshot.trainers.span_trainer"
ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class SpanOptions:
    """How spans are found.

    Args:
        head: "single": one span or none, the classic head of CLUES; "set": any number of spans (ours).
        max_length: tokens of a window over question and context.
        stride: tokens after which the next window begins.
        max_answer_tokens: the longest answer.
        several: of the set head: whether a row can have several answers; none: as the training rows show.
        required: of the set head: whether every row has an answer; none: as the training rows show.
    """

    head: str = SET
    max_length: int = 384
    stride: int = 180
    max_answer_tokens: int = 20
    several: bool | None = None
    required: bool | None = None

    def __post_init__(self) -> None:
        if self.head not in HEADS:
            raise ValueError(f"head={self.head!r}, but it must be one of {', '.join(map(repr, HEADS))}.")
        for name in ("several", "required"):
            if self.head == SINGLE and getattr(self, name) is not None:
                raise ValueError(f"{name} is an option of head='set': the single head gives one answer or none.")
        require_whole(max_length=self.max_length, max_answer_tokens=self.max_answer_tokens)
        if not 0 <= self.stride < self.max_length:
            raise ValueError(f"stride={self.stride}, but it must be less than max_length={self.max_length}.")


class SpanSystem(FoldSystem):
    """Finds the span, or the set of spans, that answers a question."""

    Options = SpanOptions

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return TrainedBy(f"{TRAINER}:SpanTrainer", f"{TRAINER}:SpanTrainingArguments", validated_on=ANOTHER_FOLD)

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        check_positions(outline(AutoModel, folder, "an encoder"), asked.options.max_length)

    @classmethod
    def train(cls, work: Work, rows: Dataset, checkpoints: Path) -> Model:
        chosen = {name: value for name, value in asdict(work.options).items() if value is not None}
        counts = answer_counts(rows) if work.options.head == SET else {}
        options = {**counts, **chosen}
        model, tokenizer = SpanModel.from_encoder(work.model, seed=work.seed, **options)
        cls._train(work, checkpoints, model=model, processing_class=tokenizer, train_dataset=rows)
        return model, tokenizer

    @classmethod
    def load(cls, folder: Path) -> Model:
        return SpanModel.from_pretrained(folder), load_tokenizer(folder)

    @torch.inference_mode()
    def answers(self, questions: Sequence[dict[str, Any]]) -> list[list[str]]:
        config, rows = self.model.config, list(questions)
        builder = SpanInputBuilder(self.tokenizer, config.max_length, config.stride)
        answers = single_answers if config.head == SINGLE else set_answers
        found: list[list[str]] = []
        with evaluation_mode(self.model):
            for begin in range(0, len(rows), ROWS_AT_ONCE):
                found += answers(self.model, builder, builder.passages(rows[begin : begin + ROWS_AT_ONCE]))
        return found
