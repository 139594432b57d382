"""A benchmark as a folder of Parquet files, which `datasets` reads without this package."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from hf_fewshot.cards.benchmark import benchmark_facts
from hf_fewshot.cards.dataset_card import Export, dataset_card, eval_file
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.runs.environment import versions
from hf_fewshot.tasks import task_of

# The Hub's own limit for files that its viewer reads.
SHARD_BYTES = 500_000_000
MADE_BY = ("hf_fewshot", "datasets", "numpy")


class PlannedExport(NamedTuple):
    """What an export writes.

    Args:
        files: names with their content, and of Parquet files the rows.
    """

    files: dict[str, Any]

    @property
    def card(self) -> str:
        """The dataset card."""
        return str(self.files["README.md"])

    def __str__(self) -> str:
        sizes = {
            name: len(one.encode()) if isinstance(one, str) else one.data.nbytes for name, one in self.files.items()
        }
        rows = {name: "" if isinstance(one, str) else f", {len(one):,} rows" for name, one in self.files.items()}
        return "\n".join(f"{size:>14,} bytes  {name}{rows[name]}" for name, size in sizes.items())


def plan_export(name: str, config: str | None, output: str | Path, **options: Any) -> PlannedExport:
    """What `export_benchmark` writes; it is refused for the same reasons, and nothing is written."""
    import datasets

    require_publishable(name, options)
    facts = benchmark_facts(name)
    if os.path.lexists(output):
        raise ValueError(f"{output} is there already. Name a new folder, or delete it first.")
    builder = datasets.load_dataset_builder(name, config, **options)
    if builder.OWN_DATA and options.get("dataset"):
        facts = replace(facts, pretty_name=options["dataset"], task_categories=[task_of(builder.TASK).hub_task])
    builder.download_and_prepare()
    rows = builder.as_dataset()
    export = Export(
        benchmark=facts,
        config=config,
        options=options,
        rows={str(split): len(part) for split, part in rows.items()},
        row="episode" if builder.config.makes_episodes else "example",
        fingerprint=None,
        description=builder.DESCRIPTION,
        citation=builder.CITATION,
        versions={name: version for name, version in versions().items() if name in MADE_BY},
    )
    split = export.evaluation_split
    if builder.config.makes_episodes and split is not None:
        export = replace(export, fingerprint=builder.episode_set(split).fingerprint)
    files: dict[str, Any] = {}
    for split, part in rows.items():
        files |= {f"data/{export.config_name}/{file}": shard for file, shard in shards(part, str(split))}
    files["README.md"] = str(dataset_card(export))
    leaderboard = eval_file(export)
    if leaderboard is not None:
        files["eval.yaml"] = leaderboard
    return PlannedExport(files)


def export_benchmark(name: str, config: str | None, output: str | Path, **options: Any) -> Path:
    """Writes the rows of `load_dataset(name, config, **options)` with a card and `eval.yaml` into a new folder.

    The folder appears when it is whole. Data that its licence keeps from being passed on is refused; sample data is
    not.
    """
    plan, output = plan_export(name, config, output, **options), Path(output)
    with whole_folder(output) as unfinished:
        for file, content in plan.files.items():
            path = unfinished / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                path.write_text(content, encoding="utf-8")
            else:
                content.to_parquet(path)
    return output


def require_publishable(name: str, options: Mapping[str, Any]) -> None:
    """Refuses data that its licence keeps from being passed on; sample data is nobody else's."""
    facts = benchmark_facts(name)
    if not facts.may_be_published and not options.get("sample"):
        raise ValueError(
            f"{facts.pretty_name} is licensed data ({facts.license_name}, {facts.license_link}) which must not be "
            "passed on: it is not exported. Give sample=True to export sample data in its format."
        )


def shards(rows: Any, split: str) -> Iterator[tuple[str, Any]]:
    """A split as Parquet files of a size that the Hub likes: their names and rows."""
    count = max(1, ceil(rows.data.nbytes / SHARD_BYTES))
    for number in range(count):
        yield f"{split}-{number:05d}-of-{count:05d}.parquet", rows.shard(count, number, contiguous=True)
