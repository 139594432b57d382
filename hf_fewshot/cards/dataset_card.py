"""The card of an exported benchmark, and the file that makes it a leaderboard."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import DatasetCardData
from huggingface_hub.utils import yaml_dump

from hf_fewshot.cards.benchmark import BenchmarkFacts
from hf_fewshot.cards.front_matter import SafeDatasetCard
from hf_fewshot.cards.setting_name import places, setting_name, task_id
from hf_fewshot.tables.plain import markdown_code, markdown_name
from hf_fewshot.text.redaction import redacted_values

TEMPLATE = Path(__file__).with_name("dataset_card.md.jinja")
# Of our own sentences; that of the benchmark is about its own.
SAMPLE_LICENSE = "apache-2.0"
# On which split systems are compared: the first of these that there is.
EVALUATION_SPLITS = ("test", "validation")
SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M")


@dataclass(frozen=True)
class Export:
    """A benchmark that is written out.

    Args:
        benchmark: what its own card says.
        config: its configuration.
        options: of `load_dataset`.
        rows: number of rows by split.
        row: what a row is, "episode" or "example".
        fingerprint: of the episodes of the evaluation split.
        description: one or two sentences.
        citation: BibTeX.
        versions: of the libraries that made it.
    """

    benchmark: BenchmarkFacts
    config: str | None
    options: Mapping[str, Any]
    rows: Mapping[str, int]
    row: str
    fingerprint: str | None
    description: str
    citation: str
    versions: Mapping[str, str]

    @property
    def is_sample(self) -> bool:
        """Whether it is sample data of our own."""
        return bool(self.options.get("sample"))

    @property
    def title(self) -> str:
        """The benchmark's name; sample data says so."""
        return (
            f"{self.benchmark.pretty_name} (sample data of hf_fewshot)"
            if self.is_sample
            else self.benchmark.pretty_name
        )

    @property
    def config_name(self) -> str:
        """The configuration under which it is loaded; draws have their own."""
        return setting_name(self.benchmark.name, self.config, self.options, without=())

    @property
    def shown_options(self) -> dict[str, Any]:
        """The options that decide the rows, and not where they came from."""
        hidden = ("cache_dir", *places(self.benchmark.name))
        return redacted_values({name: self.options[name] for name in sorted(self.options) if name not in hidden})

    @property
    def call(self) -> str:
        """The code that gives the same rows."""
        options = [f"{name}={value!r}" for name, value in self.shown_options.items()]
        which = [json.dumps(self.benchmark.name), *([json.dumps(self.config)] if self.config else [])]
        return f"load_dataset({', '.join([*which, *options])})"

    @property
    def evaluation_split(self) -> str | None:
        """The split on which systems are compared."""
        return next((split for split in EVALUATION_SPLITS if split in self.rows), None)


def dataset_card(export: Export) -> SafeDatasetCard:
    """The card of an export; files are `data/<configuration>/<split>-*.parquet`."""
    facts = export.benchmark
    files = [{"split": split, "path": f"data/{export.config_name}/{split}-*.parquet"} for split in export.rows]
    licence = {"license": facts.license, "license_name": facts.license_name, "license_link": facts.license_link}
    data = DatasetCardData(
        pretty_name=export.title,
        language=facts.language or None,
        task_categories=facts.task_categories,
        tags=[*facts.tags, "hf_fewshot", *(["sample"] if export.is_sample else [])],
        size_categories=[_size(sum(export.rows.values()))],
        configs=[{"config_name": export.config_name, "data_files": files}],
        **({"license": SAMPLE_LICENSE} if export.is_sample else licence),
    )
    return SafeDatasetCard.from_template(
        data,
        template_path=str(TEMPLATE),
        export=export,
        facts=facts,
        name=markdown_name,
        code=markdown_code,
    )


def eval_file(export: Export) -> str | None:
    """The content of `eval.yaml`; None where there is nothing to compare systems on.

    The Hub validates the file when it is pushed and keeps a list of the frameworks that it knows; a leaderboard with
    this one starts once the list has it.
    """
    split = export.evaluation_split
    if split is None:
        return None
    identifier = task_id(export.benchmark.name, export.config, export.options, split)
    return yaml_dump(
        {
            "name": export.title,
            "description": export.description,
            "evaluation_framework": "hf_fewshot",
            "tasks": [{"id": identifier, "config": export.config_name, "split": split}],
        }
    )


def _size(n_rows: int) -> str:
    """The Hub's category of a number of rows."""
    return SIZES[min(max(len(str(n_rows)) - 3, 0), len(SIZES) - 1)]
