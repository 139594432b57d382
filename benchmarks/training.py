"""Training steps a second of our trainers, against a plain torch loop over the same batches.

    python benchmarks/training.py

The plain loop has the batches ready: what it leaves out is reading rows, putting batches together, callbacks, logging
and whatever else a trainer does. Both begin with the same weights, have fused AdamW with the same rate, a linear
schedule and clipped gradients, and take turns; one step warms up. CPU time, one thread. Sample data. Batches are
small, so that what a trainer adds weighs more: one episode, or eight sentences.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from copy import deepcopy
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from datasets import disable_progress_bars
from measurement import measured, ratio, write
from transformers import TrainerCallback, get_linear_schedule_with_warmup

import hf_fewshot
from hf_fewshot import trainers
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.trainers.tagger_trainer import tagger_from_encoder

RATE, CLIPPED = 5e-5, 1.0
ONE, EIGHT = ({"per_device_train_batch_size": number} for number in (1, 8))
Made = tuple[type, type, Any, Any, Any, dict[str, Any]]


def episodic(encoder: Any) -> Made:
    episodes = hf_fewshot.load_episodes(
        "few_nerd", "inter", split="train", n_way=5, shots=1, n_episodes=200, sample=True, episodes="sampled"
    )
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(encoder, "proto")
    return trainers.EpisodicTrainer, trainers.EpisodicTrainingArguments, model, tokenizer, episodes, ONE


def joint(encoder: Any) -> Made:
    episodes = hf_fewshot.load_episodes("fewjoint", split="train", shots=1, sample=True)
    model, tokenizer = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto")
    return trainers.JointTrainer, trainers.JointTrainingArguments, model, tokenizer, episodes, ONE


def tagger(encoder: Any) -> Made:
    rows = hf_fewshot.load_dataset("few_nerd", "inter", split="train", sample=True)
    model, tokenizer = tagger_from_encoder(encoder, rows)
    return trainers.TaggerTrainer, trainers.TaggerTrainingArguments, model, tokenizer, rows, EIGHT


def spans(encoder: Any) -> Made:
    rows = hf_fewshot.load_dataset("clues", "conll03", shots=30, sample=True)["train"].to_list()
    model, tokenizer = SpanModel.from_encoder(encoder, max_length=128)
    return trainers.SpanTrainer, trainers.SpanTrainingArguments, model, tokenizer, rows, EIGHT


TRAINERS: dict[str, Callable[[Any], Made]] = {
    "EpisodicTrainer": episodic,
    "JointTrainer": joint,
    "TaggerTrainer": tagger,
    "SpanTrainer": spans,
}


class Clock(TrainerCallback):
    """CPU seconds from the end of the first step to that of the last."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.ends.append(time.process_time())


def make(made: Made, model: Any, steps: int, folder: str) -> Any:
    kind, arguments, _, tokenizer, data, options = made
    args = arguments(
        folder,
        max_steps=steps + 1,
        learning_rate=RATE,
        warmup_steps=0,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
        seed=0,
        **options,
    )
    return kind(model, args, processing_class=tokenizer, train_dataset=data)


def ours(made: Made, steps: int, folder: str) -> float:
    trainer, clock = make(made, deepcopy(made[2]), steps, folder), Clock()
    trainer.add_callback(clock)
    trainer.train()
    return clock.ends[-1] - clock.ends[0]


def batches_of(made: Made, steps: int, folder: str) -> list[Any]:
    """The batches that the trainer takes, in their order; with its seed they are the same each time."""
    trainer = make(made, deepcopy(made[2]), steps, folder)
    found: list[Any] = []
    step = trainer.training_step

    def noted(model: Any, inputs: Any, *others: Any, **more: Any) -> Any:
        # What a batch counts for in its step, where several make one, is the trainer's own.
        found.append({name: value for name, value in inputs.items() if name != "shares"})
        return step(model, inputs, *others, **more)

    trainer.training_step = noted
    trainer.train()
    return found


def plain(made: Made, batches: list[Any]) -> float:
    model = deepcopy(made[2]).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0, fused=True)
    schedule = get_linear_schedule_with_warmup(optimizer, 0, len(batches))
    start = 0.0
    for number, batch in enumerate(batches):
        model(**batch).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIPPED)
        optimizer.step()
        schedule.step()
        model.zero_grad()
        if number == 0:
            start = time.process_time()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", help="folder or Hub id (default: all-MiniLM-L6-v2)")
    parser.add_argument("--steps", type=int, default=10, help="of a turn (default: 10)")
    parser.add_argument("--repeats", type=int, default=3, help="turns (default: 3)")
    parser.add_argument("--trainers", nargs="+", choices=TRAINERS, default=list(TRAINERS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.disable_progress_bar()
    transformers.logging.set_verbosity_error()
    encoder = options.encoder or embedded_encoder("all-MiniLM-L6-v2")
    found = []
    for name in options.trainers:
        made = TRAINERS[name](encoder)
        taken: dict[str, list[float]] = {"plain": [], "ours": []}
        with tempfile.TemporaryDirectory() as folder:
            ready = batches_of(made, options.steps, folder)
            for _ in range(options.repeats):
                taken["ours"].append(ours(made, options.steps, folder))
                taken["plain"].append(plain(made, ready))
        rates = {way: [options.steps / seconds for seconds in own] for way, own in taken.items()}
        found += [
            measured(name, "plain loop", rates["plain"], "steps/s"),
            measured(name, "trainer", rates["ours"], "steps/s", {"plain loop": ratio(taken["plain"], taken["ours"])}),
        ]
        print(f"{name}: {found[-1].ratios['plain loop']:.3f} of the plain loop", flush=True)
    write("training", found)


if __name__ == "__main__":
    main()
