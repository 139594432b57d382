"""Training steps a second of our trainers, against a plain torch loop over the same batches.

    python benchmarks/training.py

The plain loop has the batches ready: what it leaves out is reading rows, putting batches together, callbacks, logging
and whatever else a trainer does. Both begin with the same weights and do the same work on them, with the optimiser,
schedule and clipping that the trainer makes of its default arguments. They take turns step by step with the same
batch, so that both see the same machine; one step warms up. CPU time, one thread. Sample data. Batches are small, so
that what a trainer adds weighs more: one episode, or eight sentences.
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
from hf_fewshot.trainers.whole_step_mixin import SHARES


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
    # Classifiers that a trainer adds are drawn.
    torch.manual_seed(0)
    return training.trainer(model, args, processing_class=training.tokenizer, train_dataset=data, **training.extra)


class PlainLoop(TrainerCallback):
    """Does each step of a trainer once more, on weights of its own, and notes the CPU seconds of both.

    Args:
        training: what both are made of.
        trainer: the one that is measured.
        own: another, whose model, optimiser and schedule the plain loop has.
    """

    def __init__(self, training: Training, trainer: Any, own: Any) -> None:
        self.training = training
        self.own = own
        self.model = own.model.train()
        own.create_optimizer_and_scheduler(own.args.max_steps)
        self.batch: dict[str, Any] = {}
        self.begins: float | None = None
        self.taken: dict[str, list[float]] = {"trainer": [], "plain loop": []}
        self.trained = trainer.training_step
        trainer.training_step = self.noted
        trainer.add_callback(self)

    def noted(self, model: Any, inputs: dict[str, Any], *others: Any, **more: Any) -> Any:
        """The trainer's step; what a batch counts for, where several make one step, is the trainer's own."""
        self.batch = {name: value for name, value in inputs.items() if name != SHARES}
        return self.trained(model, inputs, *others, **more)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        ends = time.process_time()
        self.step()
        now = time.process_time()
        if self.begins is not None:
            self.taken["trainer"].append(ends - self.begins)
            self.taken["plain loop"].append(now - ends)
        # What the trainer does until its next step ends, reading the next batch included, is of that step.
        self.begins = time.process_time()

    def step(self) -> None:
        """A step as one would write it."""
        norm, value = self.own.args.max_grad_norm, getattr(self.own.args, "max_grad_value", None)
        self.training.loss(self.model, self.batch).backward()
        if norm:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), norm)
        if value:
            torch.nn.utils.clip_grad_value_(self.model.parameters(), value)
        self.own.optimizer.step()
        self.own.lr_scheduler.step()
        self.model.zero_grad()


def turn(training: Training, steps: int) -> dict[str, list[float]]:
    """The CPU seconds of each of some steps, of both."""
    with tempfile.TemporaryDirectory() as folder:
        trainer = make(training, steps, folder)
        loop = PlainLoop(training, trainer, make(training, steps, folder))
        trainer.train()
    return loop.taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", help="folder or Hub id (default: all-MiniLM-L6-v2)")
    parser.add_argument("--steps", type=int, default=8, help="of a turn (default: 8)")
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
        turns = [turn(training, options.steps) for _ in range(options.repeats)]
        rates = {way: [len(one[way]) / sum(one[way]) for one in turns] for way in turns[0]}
        every = {way: [seconds for one in turns for seconds in one[way]] for way in turns[0]}
        share = ratio(every["plain loop"], every["trainer"])
        found += [
            measured(name, "plain loop", rates["plain loop"], "steps/s"),
            measured(name, "trainer", rates["trainer"], "steps/s", {"plain loop": share}),
        ]
        print(f"{name}: {share:.3f} of the plain loop", flush=True)
    write("training", found)


if __name__ == "__main__":
    main()
