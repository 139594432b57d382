"""Trains a little on rows of question and context and answers them, for tests that need processes of their own.

Arguments: the folder of a model without dropout for each of `TRAINERS`. Writes `spans-0.pt` and so on: the kind of
trainer and the number of the process.
"""

import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from hf_fewshot.clozes.cloze import load_cloze
from hf_fewshot.clozes.masked_lm import load_masked_lm
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.trainers.answer_trainer import AnswerTrainer
from hf_fewshot.trainers.prompt_trainer import PromptTrainer, PromptTrainingArguments
from hf_fewshot.trainers.span_trainer import SpanTrainer, SpanTrainingArguments
from hf_fewshot.trainers.text_to_text_trainer import TextToTextTrainer, TextToTextTrainingArguments
from tests.trainers.answer_rows import NAME_ROWS, REVIEW_ROWS, TEXT_ROWS


def load(folder: str | Path) -> tuple[Any, Any]:
    """A T5 and its tokenizer."""
    return AutoModelForSeq2SeqLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)


def span_trainer(folder: str | Path, options: dict[str, Any]) -> AnswerTrainer:
    """A trainer of spans."""
    model, tokenizer = SpanModel.from_encoder(folder, max_length=40, stride=20)
    arguments = SpanTrainingArguments(learning_rate=1e-3, warmup_steps=0, **options)
    return SpanTrainer(model, arguments, processing_class=tokenizer, train_dataset=NAME_ROWS, eval_dataset=NAME_ROWS)


def prompt_trainer(folder: str | Path, options: dict[str, Any]) -> AnswerTrainer:
    """A trainer of prompts with demonstrations."""
    model, tokenizer = load_masked_lm(folder)
    arguments = PromptTrainingArguments(learning_rate=0.1, optim="sgd", max_length=64, n_draws=2, **options)
    return PromptTrainer(
        model,
        arguments,
        cloze=load_cloze("sst2"),
        processing_class=tokenizer,
        train_dataset=REVIEW_ROWS,
        eval_dataset=REVIEW_ROWS,
    )


def text_to_text_trainer(folder: str | Path, options: dict[str, Any]) -> AnswerTrainer:
    """A trainer of text to text."""
    model, tokenizer = load(folder)
    arguments = TextToTextTrainingArguments(learning_rate=0.1, optim="sgd", max_target_length=12, **options)
    return TextToTextTrainer(
        model, arguments, processing_class=tokenizer, train_dataset=TEXT_ROWS, eval_dataset=TEXT_ROWS
    )


# With the rows of a step, in all processes together: less than the rows there are, and a divisor of them.
TRAINERS = {"spans": (span_trainer, 8), "prompts": (prompt_trainer, 4), "text_to_text": (text_to_text_trainer, 2)}


def train(kind: str, folder: str | Path, processes: int = 1) -> dict[str, Any]:
    """What five steps, which are more than an epoch, lead to."""
    make, batch_size = TRAINERS[kind]
    trainer = make(
        folder,
        {
            "output_dir": "out",
            "max_steps": 5,
            "per_device_train_batch_size": batch_size // processes,
            # Norms of gradients are logged, and nothing is clipped, which would hide a loss of the wrong size.
            "max_grad_norm": 1e9,
            "use_cpu": True,
            "report_to": "none",
            "disable_tqdm": True,
            "save_strategy": "no",
            "logging_steps": 1,
            "seed": 7,
        },
    )
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    trainer.train()
    steps = [row for row in trainer.state.log_history if "loss" in row]
    return {
        "process": (trainer.accelerator.process_index, trainer.accelerator.num_processes),
        "losses": [row["loss"] for row in steps],
        "norms": [row["grad_norm"] for row in steps],
        "before": before,
        "weights": trainer.model.state_dict(),
        "answers": trainer.answers(trainer.eval_dataset),
        "scores": trainer.evaluate(),
    }


def main() -> None:
    for kind, folder in zip(TRAINERS, sys.argv[1:], strict=True):
        result = train(kind, folder, processes=2)
        torch.save(result, f"{kind}-{result['process'][0]}.pt")


if __name__ == "__main__":
    main()
