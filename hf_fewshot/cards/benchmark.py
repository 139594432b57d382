"""What a benchmark's own card says of it."""

import importlib.resources
from dataclasses import dataclass, field
from typing import Any

from huggingface_hub import DatasetCard

from hf_fewshot.registry import BENCHMARKS, resolve, unknown

# Who has the data may use it and not pass it on.
LICENSED = "other"


@dataclass(frozen=True)
class BenchmarkFacts:
    """The metadata of a benchmark's card."""

    name: str
    pretty_name: str
    language: list[str]
    license: str
    license_name: str | None = None
    license_link: str | None = None
    task_categories: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    @property
    def may_be_published(self) -> bool:
        """Whether its licence lets others publish the data."""
        return self.license != LICENSED


def benchmark_facts(name: str) -> BenchmarkFacts:
    """Reads the metadata of `dataset_scripts/<name>/README.md`."""
    package = _reference(name).partition(":")[0].rpartition(".")[0]
    text = (importlib.resources.files(package) / "README.md").read_text(encoding="utf-8")
    data: dict[str, Any] = DatasetCard(text).data.to_dict()
    known = ("pretty_name", "language", "license", "license_name", "license_link", "task_categories", "tags")
    return BenchmarkFacts(name, **{key: data[key] for key in known if key in data})


def default_config(name: str, config: str | None) -> str:
    """The configuration, or the benchmark's own choice where none is given."""
    return config or resolve(_reference(name)).DEFAULT_CONFIG_NAME or "default"


def _reference(name: str) -> str:
    if name not in BENCHMARKS:
        raise unknown("benchmark", name, BENCHMARKS)
    return BENCHMARKS[name]
