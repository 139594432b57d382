"""Trains an adapter of a tiny language model a little."""

from typing import Any

from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.lora import Lora, with_adapter
from hf_fewshot.trainers.lm_trainer import LmTrainer, LmTrainingArguments
from tests.tiny_models import byte_tokenizer, tiny_causal_lm

# Answers of one to four tokens, so that the mean over a step is not that of the means of its parts.
PROMPTS = [AnsweredPrompt([10 + n, 12, *range(20, 21 + n % 4), 2], 2 + n % 4, str(n % 2)) for n in range(8)]


def lm_trainer(**options: Any) -> LmTrainer:
    """A trainer of an adapter of a tiny Llama."""
    model = with_adapter(tiny_causal_lm("llama"), Lora(rank=4), seed=0)
    chosen = {
        "output_dir": "out",
        "max_steps": 5,
        "learning_rate": 0.1,
        "optim": "sgd",
        "per_device_train_batch_size": 4,
        # Norms of gradients are logged, and nothing is clipped, which would hide a loss of the wrong size.
        "max_grad_norm": 1e9,
        "use_cpu": True,
        "report_to": "none",
        "disable_tqdm": True,
        "save_strategy": "no",
        "logging_steps": 1,
        "seed": 7,
    }
    arguments = LmTrainingArguments(**(chosen | options))
    return LmTrainer(model, arguments, processing_class=byte_tokenizer(), train_dataset=PROMPTS)


def train(**options: Any) -> dict[str, Any]:
    """What some steps lead to."""
    trainer = lm_trainer(**options)
    before = {name: weight.clone() for name, weight in trainer.model.state_dict().items()}
    trainer.train()
    steps = [row for row in trainer.state.log_history if "loss" in row]
    return {
        "process": (trainer.accelerator.process_index, trainer.accelerator.num_processes),
        "losses": [row["loss"] for row in steps],
        "norms": [row["grad_norm"] for row in steps],
        "before": before,
        "weights": trainer.model.state_dict(),
    }
