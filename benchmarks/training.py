"""Training steps a second of our trainers, against a plain torch loop over the same batches.

    python benchmarks/training.py

The plain loop has the batches ready: what it leaves out is reading rows, putting batches together, callbacks, logging
and whatever else a trainer does. Both begin with the same weights, do the same work on them (the optimiser, schedule
and clipping that the trainer makes of its default arguments), and take turns; one step warms up. CPU time, one thread.
Sample data. Batches are small, so that what a trainer adds weighs more: one episode, or eight sentences.
"""

import argparse
import os
import tempfile
import time
from copy import deepcopy
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from datasets import disable_progress_bars
from measurement import measured, ratio, write
from trainings import TRAININGS, Training
from transformers import TrainerCallback

from hf_fewshot.embedded import embedded_encoder


class Clock(TrainerCallback):
    """CPU seconds from the end of the first step to that of the last."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.ends.append(time.process_time())


def make(training: Training, steps: int, folder: str) -> Any:
    """The trainer of a copy of the model, for one more step, which warms up."""
    args = training.arguments(
        folder,
        max_steps=steps + 1,
        warmup_steps=0,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
        seed=0,
        **training.options,
    )
    model, data = deepcopy(training.model), training.data
    return training.trainer(model, args, processing_class=training.tokenizer, train_dataset=data, **training.extra)


def ours(training: Training, steps: int, folder: str) -> float:
    trainer, clock = make(training, steps, folder), Clock()
    trainer.add_callback(clock)
    trainer.train()
    return clock.ends[-1] - clock.ends[0]


def batches_of(training: Training, steps: int, folder: str) -> list[dict[str, Any]]:
    """The batches that the trainer takes, in their order; with its seed they are the same each time."""
    trainer = make(training, steps, folder)
    found: list[Any] = []
    step = trainer.training_step

    def noted(model: Any, inputs: Any, *others: Any, **more: Any) -> Any:
        # What a batch counts for in its step, where several make one, is the trainer's own.
        found.append({name: value for name, value in inputs.items() if name != "shares"})
        return step(model, inputs, *others, **more)

    trainer.training_step = noted
    trainer.train()
    return found


def plain(training: Training, batches: list[dict[str, Any]], folder: str) -> float:
    trainer = make(training, len(batches) - 1, folder)
    trainer.create_optimizer_and_scheduler(len(batches))
    model, optimizer, schedule = trainer.model.train(), trainer.optimizer, trainer.lr_scheduler
    norm, value = trainer.args.max_grad_norm, getattr(trainer.args, "max_grad_value", None)
    start = 0.0
    for number, batch in enumerate(batches):
        training.loss(model, batch).backward()
        if norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), norm)
        if value:
            torch.nn.utils.clip_grad_value_(model.parameters(), value)
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
    parser.add_argument("--trainers", nargs="+", choices=TRAININGS, default=list(TRAININGS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    disable_progress_bars()
    transformers.logging.disable_progress_bar()
    transformers.logging.set_verbosity_error()
    encoder = options.encoder or embedded_encoder("all-MiniLM-L6-v2")
    found = []
    for name in options.trainers:
        training = TRAININGS[name](encoder)
        taken: dict[str, list[float]] = {"plain": [], "ours": []}
        with tempfile.TemporaryDirectory() as folder:
            ready = batches_of(training, options.steps, folder)
            for _ in range(options.repeats):
                taken["ours"].append(ours(training, options.steps, folder))
                taken["plain"].append(plain(training, ready, folder))
        rates = {way: [options.steps / seconds for seconds in own] for way, own in taken.items()}
        found += [
            measured(name, "plain loop", rates["plain"], "steps/s"),
            measured(name, "trainer", rates["ours"], "steps/s", {"plain loop": ratio(taken["plain"], taken["ours"])}),
        ]
        print(f"{name}: {found[-1].ratios['plain loop']:.3f} of the plain loop", flush=True)
    write("training", found)


if __name__ == "__main__":
    main()
