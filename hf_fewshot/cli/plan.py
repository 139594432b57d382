"""What would run, and how long it may take."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hf_fewshot.runs.expected_time import kind_of_work, known_seconds
from hf_fewshot.runs.record import FILE_NAME
from hf_fewshot.runs.run import Run
from hf_fewshot.text.visible import visible


@contextmanager
def quiet() -> Iterator[None]:
    """Without what benchmarks and libraries say on the way: a run would say it again."""
    import datasets

    ours = logging.getLogger("hf_fewshot")
    before = ours.level
    ours.setLevel(logging.ERROR)
    datasets.disable_progress_bars()
    if "transformers" in sys.modules:
        sys.modules["transformers"].logging.set_verbosity_error()
    try:
        yield
    finally:
        ours.setLevel(before)


def print_plan(runs: Sequence[Run], output: Path, remarks: Sequence[str] = ()) -> None:
    """Prints the runs with their numbers, which are done, and an estimate from finished ones.

    Args:
        remarks: on what was checked of them, and what was not.
    """
    times = known_seconds(output)
    lines = [("index", "state", "episodes", "training", "run")]
    guessed, n_missing = [], 0
    for index, run in enumerate(runs):
        state = "done"
        if not (output / run.name / FILE_NAME).exists():
            n_missing += 1
            state = "missing"
            if kind_of_work(run) in times:
                guessed.append(times[kind_of_work(run)])
                state = f"missing, {guessed[-1]:.0f} s"
        lines.append((str(index), state, str(run.data.get("n_episodes", "default")), steps(run), run.name))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print(
            visible("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip(), keep="")
        )
    estimate = f"about {sum(guessed) / 60:.1f} minutes for {len(guessed)} of them" if guessed else "no estimate yet"
    print(f"{len(runs)} runs, {n_missing} missing: {estimate}.")
    print("Estimates are the mean time of finished runs of the same method, model and training in this folder.")
    for remark in remarks:
        print(visible(remark, keep=""))


def steps(run: Run) -> str:
    """How long the training is, in words."""
    if run.training is None:
        return "none"
    for name, unit in (("max_steps", "steps"), ("num_train_epochs", "epochs")):
        if name in run.training.arguments:
            return f"{run.training.arguments[name]} {unit}"
    return "by default"
