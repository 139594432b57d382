"""Question and context to a set of answers as text to text, for models of the T5 family."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from datasets import Dataset
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, PreTrainedTokenizerBase

from hf_fewshot.encoding.evaluation_mode import evaluation_mode
from hf_fewshot.encoding.inputs import batches, padded
from hf_fewshot.models.loading import load_model
from hf_fewshot.systems.fold_system import FoldSystem, Model
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.system import Asked, TrainedBy
from hf_fewshot.systems.training import chosen_arguments
from hf_fewshot.systems.work import Work

logger = logging.getLogger(__name__)

# In the vocabulary of T5, and in no answer of CLUES.
SEPARATOR = "|"
TOKENS_PER_BATCH = 4096
TRAINER = "hf_fewshot.trainers.text_to_text_trainer"


def source_text(row: dict[str, Any]) -> str:
    """What the model reads. The question comes first: a context that is too long is cut at its end."""
    return f"question: {row['question']} context: {' '.join(text.strip() for text in row['context'])}"


def target_text(row: dict[str, Any]) -> str:
    """What the model writes: the answers with a separator between them, and nothing where there is none."""
    for answer in row["answers"]:
        if SEPARATOR in answer:
            raise ValueError(
                f"Row {row.get('id')!r} has the answer {answer!r}, which holds the separator {SEPARATOR!r} and could "
                "not be told from two answers. Leave the row out or replace the character."
            )
    return f" {SEPARATOR} ".join(row["answers"])


def parse_answers(text: str) -> list[str]:
    """The set of answers that a model has written, in its order: what is between separators, taken as it is."""
    return list(dict.fromkeys(part for piece in text.split(SEPARATOR) if (part := piece.strip())))


def encode_sources(
    tokenizer: PreTrainedTokenizerBase, rows: Sequence[dict[str, Any]], max_length: int
) -> list[np.ndarray]:
    """The tokens of each row, cut to `max_length`; how many rows were cut is logged."""
    if not rows:
        return []
    texts = [source_text(row) for row in rows]
    whole = tokenizer(texts, verbose=False)["input_ids"]
    too_long = sum(len(ids) > max_length for ids in whole)
    if too_long:
        logger.warning(f"{too_long} of {len(texts)} contexts are cut off at max_source_length={max_length} tokens.")
    encoded = tokenizer(texts, truncation=True, max_length=max_length)["input_ids"]
    return [np.array(ids, dtype=np.int64) for ids in encoded]


class TextToTextSystem(FoldSystem):
    """Writes the answers.

    Args:
        model: of the T5 family.
        tokenizer: the model's.
        max_source_length: tokens of question and context; what is longer is cut at its end.
        max_target_length: tokens that are written at the most.
        num_beams: 1: greedily; more: by beam search.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        max_source_length: int = 512,
        max_target_length: int = 128,
        num_beams: int = 1,
    ) -> None:
        super().__init__(model, tokenizer)
        self.max_source_length = max_source_length
        self.max_target_length = max_target_length
        self.num_beams = num_beams

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return TrainedBy(f"{TRAINER}:TextToTextTrainer", f"{TRAINER}:TextToTextTrainingArguments")

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        outline(AutoModelForSeq2SeqLM, folder, "a model that writes text from text, such as T5,")

    @classmethod
    def made(cls, work: Work, model: Model, rows: Dataset) -> Self:
        return cls(*model, **chosen_arguments(work, cls, "max_source_length", "max_target_length", "num_beams"))

    @classmethod
    def train(cls, work: Work, rows: Dataset, checkpoints: Path) -> Model:
        model, tokenizer = cls.load(work.model)
        cls._train(work, checkpoints, model=model, processing_class=tokenizer, train_dataset=rows)
        return model, tokenizer

    @classmethod
    def load(cls, folder: str | Path) -> Model:
        return load_model(AutoModelForSeq2SeqLM, folder), AutoTokenizer.from_pretrained(folder)

    @torch.inference_mode()
    def answers(self, questions: Sequence[dict[str, Any]]) -> list[list[str]]:
        model, tokenizer = self.model, self.tokenizer
        sources = encode_sources(tokenizer, list(questions), self.max_source_length)
        answers: list[list[str]] = [[] for _ in sources]
        with evaluation_mode(self.model):
            for group in batches(np.array([len(ids) for ids in sources]), TOKENS_PER_BATCH):
                ids, mask = padded([sources[number] for number in group], tokenizer.pad_token_id)
                written = model.generate(
                    input_ids=ids.to(model.device),
                    attention_mask=mask.to(model.device),
                    max_new_tokens=self.max_target_length,
                    num_beams=self.num_beams,
                    do_sample=False,
                )
                texts = tokenizer.batch_decode(written, skip_special_tokens=True)
                for number, text in zip(group.tolist(), texts, strict=True):
                    answers[number] = parse_answers(text)
        return answers
