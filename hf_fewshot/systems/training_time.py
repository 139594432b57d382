"""How long a training takes, interruptions left out."""

import json
import time
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from hf_fewshot.files.whole_file import whole_file

FILE_NAME = "seconds.json"


class TrainingTime(TrainerCallback):
    """Counts from the last checkpoint on, where there is one; added to a trainer, it is kept with every checkpoint."""

    def __init__(self, checkpoints: Path) -> None:
        self.path = checkpoints / FILE_NAME
        self.before = read_seconds(self.path)
        self.start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time so far."""
        return self.before + time.perf_counter() - self.start

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A checkpoint is written."""
        if state.is_world_process_zero:
            write_seconds(self.path, self.seconds)


def read_seconds(path: Path, of: str = "") -> float:
    """The time in a file; 0 where there is none, or it is of another run."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return float(found["seconds"]) if found["of"] == of else 0.0
    except (OSError, ValueError, TypeError, KeyError):
        return 0.0


def write_seconds(path: Path, seconds: float, of: str = "") -> None:
    """Writes a time, and which run it is of."""
    with whole_file(path) as unfinished:
        unfinished.write_text(json.dumps({"seconds": seconds, "of": of}), encoding="utf-8")
