"""Fine-tuning on a fold of CLUES as systems: span extraction, prompts, text to text."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from datasets import Dataset

from hf_fewshot.clozes.cloze import load_cloze
from hf_fewshot.clozes.prediction import load_masked_lm, predict_labels
from hf_fewshot.folds.fold import run_fold
from hf_fewshot.models.loading import load_model, load_tokenizer
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.registry import resolve
from hf_fewshot.spans.prediction import answer_counts, predict_answers
from hf_fewshot.systems.text_to_text import generate_answers
from hf_fewshot.systems.training import arguments, train_to_end, trained
from hf_fewshot.systems.work import Work

SPANS = "hf_fewshot.trainers.span_trainer"
PROMPTS = "hf_fewshot.trainers.prompt_trainer"
TEXTS = "hf_fewshot.trainers.text_to_text_trainer"

Model = tuple[Any, Any]  # a model and its tokenizer
Answer = Callable[[Any, Any, Dataset], list[list[str]]]


def predict_spans(work: Work) -> list[list[Any]]:
    """Classic fine-tuning: answers are spans of question and context."""

    def train(rows: Dataset, checkpoints: Path) -> Model:
        options = {**answer_counts(rows), **work.run.options}
        model, tokenizer = SpanModel.from_encoder(work.model, seed=work.run.seed, **options)
        chosen = _arguments(work, f"{SPANS}:SpanTrainingArguments", checkpoints)
        train_to_end(resolve(f"{SPANS}:SpanTrainer")(model, chosen, processing_class=tokenizer, train_dataset=rows))
        return model, tokenizer

    def load(folder: Path) -> Model:
        return SpanModel.from_pretrained(folder), load_tokenizer(folder)

    return _predict(work, train, load, lambda rows: predict_answers)


def predict_clozes(work: Work) -> list[list[Any]]:
    """Prompt-based fine-tuning of a masked language model; options: `template`, `file`, `new_head`."""
    cloze = load_cloze(work.run.options.get("template", work.run.config or ""), work.run.options.get("file"))

    def train(rows: Dataset, checkpoints: Path) -> Model:
        model, tokenizer = load_masked_lm(work.model, new_head=work.run.options.get("new_head", False))
        chosen = _arguments(work, f"{PROMPTS}:PromptTrainingArguments", checkpoints)
        trainer = resolve(f"{PROMPTS}:PromptTrainer")
        train_to_end(trainer(model, chosen, cloze=cloze, processing_class=tokenizer, train_dataset=rows))
        return model, tokenizer

    def answers(rows: Dataset) -> Answer:
        options = _chosen(work, f"{PROMPTS}:PromptTrainingArguments", "demonstrations", "n_draws", "max_length")
        options["demonstrations"] = list(rows) if options["demonstrations"] else None
        return lambda model, tokenizer, questions: predict_labels(
            model, tokenizer, questions, cloze, seed=work.run.seed, **options
        )

    return _predict(work, train, load_masked_lm, answers)


def predict_texts(work: Work) -> list[list[Any]]:
    """Text-to-text fine-tuning of a model of the T5 family."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    def train(rows: Dataset, checkpoints: Path) -> Model:
        model, tokenizer = load(work.model)
        chosen = _arguments(work, f"{TEXTS}:TextToTextTrainingArguments", checkpoints)
        train_to_end(
            resolve(f"{TEXTS}:TextToTextTrainer")(model, chosen, processing_class=tokenizer, train_dataset=rows)
        )
        return model, tokenizer

    def load(folder: str | Path) -> Model:
        model = load_model(AutoModelForSeq2SeqLM, folder)
        return model, AutoTokenizer.from_pretrained(folder)

    def answers(rows: Dataset) -> Answer:
        names = ("max_source_length", "max_target_length", "num_beams")
        options = _chosen(work, f"{TEXTS}:TextToTextTrainingArguments", *names)
        return lambda model, tokenizer, questions: generate_answers(model, tokenizer, questions, **options)

    return _predict(work, train, load, answers)


def _predict(
    work: Work,
    train: Callable[[Dataset, Path], Model],
    load: Callable[[Path], Model],
    answers: Callable[[Dataset], Answer],
) -> list[list[Any]]:
    """Trains on the fold's training rows, then opens the test rows and asks the questions."""

    def fit(rows: Dataset) -> Any:
        what = {"method": work.run.method, "options": work.run.options, "data": work.run.data}
        model, tokenizer = trained(work, "model", what, load, lambda checkpoints: train(rows, checkpoints))
        model.to(work.accelerator.device)

        def predict(questions: Dataset) -> list[list[str]]:
            with work.timed("predict"):
                return answers(rows)(model, tokenizer, list(questions))

        return predict

    return [list(run_fold(work.data.fold, fit).predictions.values())]


def _chosen(work: Work, reference: str, *names: str) -> dict[str, Any]:
    """Training arguments that predictions depend on too, as the run has them.

    The arguments are not made again for it: that would end the state of the run's accelerator.
    """
    defaults = {one.name: one.default for one in fields(resolve(reference)) if one.name in names}
    return {name: (work.run.training or {}).get(name, default) for name, default in defaults.items()}


def _arguments(work: Work, reference: str, checkpoints: Path) -> Any:
    return arguments(work, reference, checkpoints, dict(work.run.training or {}), save_strategy="no")
