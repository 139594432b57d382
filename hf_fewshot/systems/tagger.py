"""Supervised named entity recognition as a system: BERT-Tagger."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from transformers import AutoModelForTokenClassification, PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.encoding.evaluation_mode import evaluation_mode
from hf_fewshot.encoding.inputs import InputBuilder, batches, padded
from hf_fewshot.encoding.vectors import TOKENS_PER_BATCH
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.models.encoder_model import check_positions
from hf_fewshot.models.loading import load_model, load_tokenizer
from hf_fewshot.registry import resolve
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.system import EXAMPLES, Asked, Predictions, Setup, System, TrainedBy
from hf_fewshot.systems.training import arguments, chosen_arguments, train_to_end, trained
from hf_fewshot.systems.training_plan import trainer_arguments
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks.tags import is_bio

TRAINER = "hf_fewshot.trainers.tagger_trainer"


class TaggerSystem(System):
    """Tags all sentences by a token classifier that was trained on those of the train split.

    Args:
        model: a token classifier.
        tokenizer: the model's.
        max_length: pieces of a sequence; longer sentences are cut into chunks.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, max_length: int = 128) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.max_length = max_length

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return TrainedBy(f"{TRAINER}:TaggerTrainer", f"{TRAINER}:TaggerTrainingArguments", validated_on=EXAMPLES)

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        model = outline(AutoModelForTokenClassification, folder, "an encoder that can be a token classifier")
        check_positions(model, **chosen_arguments(asked, cls, "max_length"))

    @classmethod
    def fit(cls, work: Work) -> Self:
        sentences = work.data.rows("train")
        validated = work.training is not None and work.training.validation is not None
        validation = work.data.rows("validation") if validated else None
        by = cls.trained_by(work.name)
        assert by is not None

        def train(checkpoints: Path) -> tuple[Any, Any]:
            model, tokenizer = resolve(f"{TRAINER}:tagger_from_encoder")(work.model, sentences)
            chosen = arguments(work, by.arguments, checkpoints, trainer_arguments(by, work.training))
            trainer = resolve(by.trainer)
            train_to_end(
                work,
                trainer(model, chosen, processing_class=tokenizer, train_dataset=sentences, eval_dataset=validation),
            )
            return model, tokenizer

        model, tokenizer = trained(
            work,
            "model",
            {"method": work.name, "data": dict(work.data.options)},
            lambda folder: (load_model(AutoModelForTokenClassification, folder), load_tokenizer(folder)),
            train,
        )
        return cls(model, tokenizer, **chosen_arguments(work, cls, "max_length"))

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        self.model.to(setup.accelerator.device)
        sentences = episodes.examples["tokens"][:]
        found: Predictions = []
        for episode in episodes:
            found.append(self.tags([sentences[row] for row in episode.query]))
        return found

    @torch.inference_mode()
    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """One tag per word: that of its first word piece; long sentences are cut into chunks, not cut off."""
        model, tokenizer = self.model, self.tokenizer
        inputs = InputBuilder(tokenizer, "words", self.max_length)([{"tokens": words} for words in sentences])
        lengths = np.array([len(sequence) for sequence in inputs.sequences])
        ends = np.searchsorted(inputs.row_sequence, np.arange(len(lengths) + 1))
        classes = np.empty(len(inputs.row_sequence), dtype=np.int64)
        with evaluation_mode(model):
            for group in batches(lengths, TOKENS_PER_BATCH):
                ids, mask = padded([inputs.sequences[number] for number in group], tokenizer.pad_token_id)
                scores = model(input_ids=ids.to(model.device), attention_mask=mask.to(model.device)).logits
                best = scores.argmax(-1).cpu()
                for row, number in enumerate(group):
                    own = slice(ends[number], ends[number + 1])
                    classes[own] = best[row, inputs.row_positions[own, 0]]
        id2label: Any = model.config.id2label
        names = np.array([id2label[i] for i in range(len(id2label))], dtype=object)
        return [part.tolist() for part in np.split(names[classes], inputs.offsets[1:-1])]


def score_tags(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Entity F1; BIO tags are recognised by their prefixes."""
    bio = is_bio({tag for column in (predictions, references) for tags in column for tag in tags})
    score = resolve("hf_fewshot.metrics.entity_f1.scoring:score")
    return score(predictions, references, scheme="bio" if bio else "io")
