"""Trains the model of a run once, and finds it again: by itself, and for other runs that need the same."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, PartialState
from filelock import FileLock

from hf_fewshot.files.disk_space import disk_full_explained
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.models.finite import require_finite
from hf_fewshot.progress import is_watched
from hf_fewshot.registry import resolve
from hf_fewshot.systems.system import Asked, System
from hf_fewshot.systems.training_bar import use_training_bar
from hf_fewshot.systems.training_time import TrainingTime, read_seconds, write_seconds
from hf_fewshot.systems.work import Work, digest
from hf_fewshot.tracking.tracked_run import Curves

FOLDER = "models"  # beside the folders of runs
CURVE = {"logging_steps": 0.01}  # of all steps: what is tracked has a hundred points, unless the run says otherwise


def save_whole(model: Any, folder: Path) -> None:
    """Saves all weights of a model."""
    model.save_pretrained(folder)


def trained(
    work: Work,
    name: str,
    what: dict[str, Any],
    load: Callable[[Path], Any],
    train: Callable[[Path], Any],
    save: Callable[[Any, Path], None] = save_whole,
) -> Any:
    """A trained model and its tokenizer; runs that differ only in what is predicted share it.

    It is kept in the folder `models` of the results and linked from the run's folder.

    Args:
        name: of the link.
        what: all that training depends on beside the run's benchmark, model, training and seed.
        load: from a folder to model and tokenizer.
        train: from a folder for checkpoints to model and tokenizer.
        save: a model to a folder.
    """
    benchmark, seed, run = work.data.benchmark, work.seed, work.folder.name
    what = {**what, "benchmark": benchmark, "config": work.data.config, "model": work.model_name}
    plan = None if work.training is None else work.training.written
    what |= {"training": plan, "seed": seed, "trained_on": work.trained_on}
    folder = work.folder.parent / FOLDER / f"{benchmark}_{what['method']}_seed={seed}_{digest(what)}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(work.accelerator, folder.with_name(f".{folder.name}.lock")):
        checkpoints = _checkpoints(folder)
        seconds = folder.with_name(f".{folder.name}.seconds")
        if not folder.is_dir():
            torch.manual_seed(seed)
            time = TrainingTime(checkpoints)
            with _own_state():
                model, tokenizer = train(checkpoints)
            require_finite(model)
            if work.accelerator.is_main_process:
                write_seconds(seconds, time.seconds, run)
                _save(folder, work.accelerator.unwrap_model(model), tokenizer, save)
            work.accelerator.wait_for_everyone()
        # A run that was interrupted after its training took that long; one that finds the model of another did not.
        work.seconds["train"] = work.seconds.get("train", 0.0) + read_seconds(seconds, run)
        if work.accelerator.is_main_process:
            remove_checkpoints(folder)
    if work.accelerator.is_main_process:
        link = work.folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(folder, work.folder), target_is_directory=True)
    return load(folder)


def remove_checkpoints(model: Path) -> None:
    """Removes what was kept of a training while it went on; the model itself stays."""
    shutil.rmtree(_checkpoints(model), ignore_errors=True)


def _checkpoints(model: Path) -> Path:
    return model.with_name(f".{model.name}.checkpoints")


@contextmanager
def _alone(accelerator: Accelerator, path: Path) -> Iterator[None]:
    """The processes of one accelerator together, and no others."""
    lock = FileLock(path)
    if accelerator.is_main_process:
        lock.acquire()
    accelerator.wait_for_everyone()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _own_state() -> Iterator[None]:
    """Trainers put the precision and device of their arguments into what all accelerators of a process share.

    Afterwards it is as before: predictions, the vectors that are kept and the record go by how the run was launched.
    """
    shared = [kind._shared_state for kind in (PartialState, AcceleratorState)]
    kept = [dict(state) for state in shared]
    try:
        yield
    finally:
        for state, before in zip(shared, kept, strict=True):
            state.clear()
            state.update(before)


def _save(folder: Path, model: Any, tokenizer: Any, save: Callable[[Any, Path], None]) -> None:
    """Saves a model; its folder appears when it is whole."""
    with whole_folder(folder, "the trained model") as unfinished:
        save(model, unfinished)
        tokenizer.save_pretrained(unfinished)


def arguments(work: Work, reference: str, checkpoints: Path, given: dict[str, Any], **fixed: Any) -> Any:
    """The arguments of a trainer from those of the run; checkpoints are kept until the model is saved."""
    kind = resolve(reference)
    options = {
        "seed": work.seed,
        "report_to": "none",
        "save_total_limit": 2,
        "disable_tqdm": not (work.progress and is_watched()),
        "dataloader_pin_memory": torch.cuda.is_available(),
        **({} if work.tracked is None else CURVE),
        **fixed,
        **given,
    }
    return kind(str(checkpoints), **options)


def chosen_arguments(asked: Asked | Work, system: type[System], *names: str) -> dict[str, Any]:
    """Training arguments that predictions depend on too, as the run has them.

    The arguments are not made again for it: that would end the state of the run's accelerator.
    """
    by = system.trained_by(asked.name)
    assert by is not None
    given = asked.training.arguments if asked.training else {}
    known = {one.name: one.default for one in fields(resolve(by.arguments)) if one.name in names}
    return {name: given.get(name, default) for name, default in known.items()}


def train_to_end(work: Work, trainer: Any) -> None:
    """Trains from the last whole checkpoint, or from the start where there is none."""
    folder = Path(trainer.args.output_dir)
    use_training_bar(trainer)
    trainer.add_callback(TrainingTime(folder))
    if work.tracked is not None:
        trainer.add_callback(Curves(work.tracked))
    with disk_full_explained(folder, "a checkpoint"):
        trainer.train(resume_from_checkpoint=last_checkpoint(folder))


def last_checkpoint(folder: Path) -> str | None:
    """The newest checkpoint that was written to its end: the state of the trainer is what comes last.

    Newer ones that were cut off are removed: they take space and are of no use.
    """
    found = {path: path.name.rpartition("-")[2] for path in folder.glob("checkpoint-*")}
    for path in sorted((path for path, step in found.items() if step.isdigit()), key=lambda p: -int(found[p])):
        try:
            json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            shutil.rmtree(path, ignore_errors=True)
            continue
        return str(path)
    return None
