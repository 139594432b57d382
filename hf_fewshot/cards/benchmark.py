"""What a benchmark's own card says of it."""

from dataclasses import dataclass, field, fields
from typing import Any

from huggingface_hub import DatasetCard

from hf_fewshot.data.benchmark import builder_of


@dataclass(frozen=True)
class BenchmarkFacts:
    """The metadata of a benchmark's card, and whether its licence lets others publish the data."""

    name: str
    may_be_published: bool
    pretty_name: str
    language: list[str]
    license: str
    license_name: str | None = None
    license_link: str | None = None
    task_categories: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


def benchmark_facts(name: str) -> BenchmarkFacts:
    """Reads the metadata of the README.md in the benchmark's folder; a card may say less than all."""
    builder = builder_of(name)
    card = builder.folder() / "README.md"
    said: dict[str, Any] = DatasetCard(card.read_text(encoding="utf-8")).data.to_dict() if card.is_file() else {}
    known = {field.name for field in fields(BenchmarkFacts)} - {"name", "may_be_published"}
    unsaid = {"pretty_name": name, "language": [], "license": "unknown"}
    return BenchmarkFacts(
        name, builder.MAY_BE_PUBLISHED, **unsaid | {key: said[key] for key in said if key in known and said[key]}
    )


def default_config(name: str, config: str | None) -> str:
    """The configuration, or the benchmark's own choice where none is given."""
    return config or builder_of(name).DEFAULT_CONFIG_NAME or "default"
