"""Supervised named entity recognition as a system: BERT-Tagger."""

from pathlib import Path
from typing import Any, Self

import torch
from transformers import AutoModelForTokenClassification, PreTrainedModel, PreTrainedTokenizerBase

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.models.loading import load_model, load_tokenizer
from hf_fewshot.registry import resolve
from hf_fewshot.systems.system import Predictions, Setup, System, Trained
from hf_fewshot.systems.tagging import predict_tags
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.work import Work

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
    def trained(cls, name: str) -> Trained | None:
        return Trained(f"{TRAINER}:TaggerTrainer", f"{TRAINER}:TaggerTrainingArguments")

    @classmethod
    def fit(cls, work: Work) -> Self:
        given = work.training.arguments if work.training else {}
        sentences = work.data.rows("train")

        def train(checkpoints: Path) -> tuple[Any, Any]:
            model, tokenizer = resolve(f"{TRAINER}:tagger_from_encoder")(work.model, sentences)
            chosen = arguments(work, f"{TRAINER}:TaggerTrainingArguments", checkpoints, given)
            trainer = resolve(f"{TRAINER}:TaggerTrainer")
            train_to_end(trainer(model, chosen, processing_class=tokenizer, train_dataset=sentences))
            return model, tokenizer

        model, tokenizer = trained(
            work,
            "model",
            {"method": work.name, "data": dict(work.data.options)},
            lambda folder: (load_model(AutoModelForTokenClassification, folder), load_tokenizer(folder)),
            train,
        )
        return cls(model, tokenizer, given.get("max_length", 128))

    @torch.inference_mode()
    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        self.model.to(setup.accelerator.device)
        sentences = episodes.examples["tokens"][:]
        found: Predictions = []
        for episode in episodes:
            words = [sentences[row] for row in episode.query]
            found.append(predict_tags(self.model, self.tokenizer, words, self.max_length))
        return found
