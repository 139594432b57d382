"""A run: one method on one benchmark with one seed."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.method_names import method_named
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.systems.training_plan import Training
from hf_fewshot.text.redaction import redacted_values

# Stands for any address.
SOME_ENDPOINT = "an endpoint"


@dataclass(frozen=True)
class Run:
    """What is run; everything that decides the result, and nothing about the machine.

    Args:
        benchmark: its name, such as "few_nerd".
        config: its configuration, such as "inter".
        data: options of `load_dataset`, such as `{"n_way": 5, "shots": 1, "n_episodes": 500, "sample": True}`.
        split: the split whose queries are predicted.
        system: the name of the method in tables, such as "ProtoBERT".
        method: its name in the registry, such as "proto", or that of its paper.
        options: of the method and its model, such as `{"layers": 4}`.
        model: the encoder or language model: a Hub id, a folder, or the name of an embedded model.
        training: what it is trained on and how, or a mapping as recipes write it (see `Training.read`); None: the
            model stays as it is.
        seed: of the training and of all that the method draws.
    """

    benchmark: str
    method: str
    config: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    split: str = "test"
    system: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    model: str | None = None
    training: Training | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.method, str):
            object.__setattr__(self, "method", method_named(self.method))
        if not self.system:
            object.__setattr__(self, "system", self.method)
        if isinstance(self.training, Mapping):
            object.__setattr__(self, "training", Training.read(self.training))

    @property
    def written(self) -> dict[str, Any]:
        """As plain values, as it stands in a record."""
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**plain, "training": self.training and self.training.written}

    @property
    def shown(self) -> "Run":
        """The run as it may be stored and printed: without passwords and keys."""
        return Run(**redacted_values(self.written))

    @cached_property
    def compared(self) -> "Run":
        """The run as it is told from others: without how its model is reached.

        That there is an endpoint counts, and not which; unless nothing else names the model.
        """
        shown = self.shown
        entry = SYSTEMS.get(self.method)
        reached_by = () if entry is None else entry.reached_by
        options = {name: value for name, value in shown.options.items() if name not in reached_by}
        if is_remote(self):
            options["endpoint"] = shown.options.get("endpoint") if self.model is None else SOME_ENDPOINT
        return replace(shown, options=options)

    @property
    def name(self) -> str:
        """A readable name of a folder, the same for the same run only."""
        data = [f"{key}={self.data[key]}" for key in ("n_way", "shots", "fold", "draw") if key in self.data]
        parts = [self.benchmark, self.config, self.data.get("dataset"), *data, self.system, f"seed={self.seed}"]
        readable = "_".join(re.sub(r"[^\w=.+-]+", "-", str(part)) for part in parts if part)
        # Of Chinese, 150 characters are more bytes than a file system takes.
        short = readable[:150].encode()[:200].decode(errors="ignore")
        return f"{short}_{self.digest}"

    @property
    def digest(self) -> str:
        """A short hash over all that tells it from others: with another password or endpoint it is the same run."""
        content = json.dumps(self.compared.written, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()[:10]

    @property
    def setting(self) -> tuple[str, str, str]:
        """Benchmark, split and options of the data, without the draws: what results can be compared within."""
        data = {key: value for key, value in self.data.items() if key not in DRAWS}
        name = f"{self.benchmark}/{self.config}" if self.config else self.benchmark
        return name, self.split, ", ".join(f"{key}={data[key]}" for key in sorted(data))

    @property
    def cell(self) -> tuple[Any, ...]:
        """The setting and the method, without draws and seed: what results are summed up over."""
        written = self.compared.written
        system = [written[name] for name in ("system", "method", "options", "model", "training")]
        return *self.setting, json.dumps(system, sort_keys=True, ensure_ascii=False)


def is_remote(run: Run) -> bool:
    """Whether the model of a run is behind an endpoint, and nothing of it is on this machine."""
    entry = SYSTEMS.get(run.method)
    reached_by = () if entry is None else entry.reached_by
    return any(run.options.get(name) is not None for name in ("endpoint", "provider") if name in reached_by)
