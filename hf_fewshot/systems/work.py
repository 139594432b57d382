"""What a system is given to make itself ready."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accelerate import Accelerator

from hf_fewshot.data.benchmark_data import EPISODES, Data
from hf_fewshot.embedded import model_place
from hf_fewshot.systems.training_plan import Training
from hf_fewshot.tracking.tracked_run import TrackedRun


def digest(content: Any) -> str:
    """A short hash over plain values."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:10]


@dataclass(frozen=True)
class Work:
    """What a run asks of a system, the data, and a folder for what must survive an interruption.

    Args:
        name: by which the system is registered.
        options: what the system calls its `Options`.
        given: those of them that the run gives, as it gives them; they name what is trained.
        model_name: the encoder or language model of the run.
        training: None: the model stays as it is.
        seed: of the training and of all that the system draws.
        data: the benchmark's.
        folder: of the run.
        named: hashes of what stands behind the names of the run (see `runs.dependencies`), as it was at the beginning.
        seconds: the time that each step took.
        tracked: who is told of learning curves, in all processes or in none.
    """

    name: str
    options: Any
    given: Mapping[str, Any]
    model_name: str | None
    training: Training | None
    seed: int
    data: Data
    folder: Path
    accelerator: Accelerator
    progress: bool = True
    named: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    tracked: TrackedRun | None = None

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Adds the time that the block takes to a step."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + time.perf_counter() - start

    @property
    def read_so_far(self) -> str:
        """A short hash over all that was read so far and all that stands behind names.

        It names what is kept for later, so that what was begun with other data, code or files is not gone on with.
        """
        content = [[reading.part, reading.options, reading.content] for reading in self.data.readings]
        return digest([self.named, content])

    @property
    def trained_on(self) -> list[Any]:
        """All that a model that is trained now depends on beside the run: what was read but is not predicted."""
        readings = [reading for reading in self.data.readings if reading.part != EPISODES]
        return [self.named, [[reading.part, reading.options, reading.content] for reading in readings]]

    @property
    def model(self) -> str:
        """Where the run's model is."""
        name = self.model_name
        if name is None:
            raise ValueError(f"Method {self.name!r} needs a model. Give model=..., a Hub id or a folder.")
        return model_place(name)
