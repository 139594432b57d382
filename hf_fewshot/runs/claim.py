"""Who may work on the folder of a run, and whether what is there may be used."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from hf_fewshot.runs.folder import LOCK

if TYPE_CHECKING:
    from accelerate import Accelerator


class RunInUseError(RuntimeError):
    """Another process works on the same run."""


class ChangedError(ValueError):
    """The record of a run is there, but what it was made from is no longer the same."""


@contextmanager
def claimed_run(folder: Path, accelerator: "Accelerator | None" = None) -> Iterator[None]:
    """The folder of a run for the processes of one accelerator alone: others would be in their way."""
    if accelerator is not None:
        accelerator.wait_for_everyone()
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    if accelerator is None or accelerator.is_main_process:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise RunInUseError(f"Another process works on {folder}. Wait for it, or stop it.") from None
    try:
        if accelerator is not None:
            accelerator.wait_for_everyone()
        yield
    finally:
        lock.release()
