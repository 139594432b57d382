"""What a system is given to do its work."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accelerate import Accelerator

from hf_fewshot.data.benchmark_data import EPISODES, Data
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS, embedded_causal_lm, embedded_encoder
from hf_fewshot.runs.run import Run


def digest(content: Any) -> str:
    """A short hash over plain values."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:10]


@dataclass(frozen=True)
class Work:
    """A run, its data, and a folder for what must survive an interruption.

    Args:
        named: hashes of what stands behind the names of the run (see `dependencies`), as it was at the beginning.
        seconds: the time that each step took.
        answers: of a language model: how many were refused, could not be parsed, and so on.
    """

    run: Run
    data: Data
    folder: Path
    accelerator: Accelerator
    progress: bool = True
    named: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    answers: dict[str, float] = field(default_factory=dict)

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
        """Where the run's model is: embedded models are known by their names, others by Hub id or folder."""
        name = self.run.model
        if name is None:
            raise ValueError(f"Method {self.run.method!r} needs a model. Give model=..., a Hub id or a folder.")
        if name in ENCODERS:
            return str(embedded_encoder(name))
        if name in CAUSAL_LMS:
            return str(embedded_causal_lm(name))
        return name

    def training(self, *own: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The run's training in two parts: what `own` names, and the arguments of the trainer."""
        given = dict(self.run.training or {})
        return {name: given.pop(name) for name in own if name in given}, given
