"""Supervised named entity recognition as a system: BERT-Tagger."""

from pathlib import Path
from typing import Any

from hf_fewshot.models.loading import load_model, load_tokenizer
from hf_fewshot.registry import resolve
from hf_fewshot.systems.tagging import predict_tags
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.work import Work

TRAINER = "hf_fewshot.trainers.tagger_trainer"


def predict(work: Work) -> list[list[Any]]:
    """Tags of all sentences of the split, by a model trained on those of the train split."""
    from transformers import AutoModelForTokenClassification

    _, given = work.training()
    sentences = work.data.rows("train")

    def train(checkpoints: Path) -> tuple[Any, Any]:
        model, tokenizer = resolve(f"{TRAINER}:tagger_from_encoder")(work.model, sentences)
        chosen = arguments(work, f"{TRAINER}:TaggerTrainingArguments", checkpoints, given)
        train_to_end(
            resolve(f"{TRAINER}:TaggerTrainer")(model, chosen, processing_class=tokenizer, train_dataset=sentences)
        )
        return model, tokenizer

    model, tokenizer = trained(
        work,
        "model",
        {"method": work.run.method, "data": work.run.data},
        lambda folder: (load_model(AutoModelForTokenClassification, folder), load_tokenizer(folder)),
        train,
    )
    model.to(work.accelerator.device)
    with work.timed("predict"):
        tokens = work.data.rows(work.run.split)["tokens"][:]
        return [predict_tags(model, tokenizer, tokens, given.get("max_length", 128))]
