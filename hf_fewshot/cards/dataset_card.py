"""The card of an exported benchmark, and the file that makes it a leaderboard."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from huggingface_hub import DatasetCardData
from huggingface_hub.utils import yaml_dump

from hf_fewshot.cards.benchmark import BenchmarkFacts, benchmark_facts
from hf_fewshot.cards.exported_setting import ExportedSetting
from hf_fewshot.cards.front_matter import SafeDatasetCard
from hf_fewshot.cards.setting_name import task_id
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.tables.plain import markdown_code, markdown_name
from hf_fewshot.tasks import task_of

TEMPLATE = Path(__file__).with_name("dataset_card.md.jinja")
# Of our own sentences; that of the benchmark is about its own.
SAMPLE_LICENSE = "apache-2.0"
SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M")


def exported_facts(setting: ExportedSetting) -> BenchmarkFacts:
    """What the card says of whose data it is; data of one's own has its own name."""
    facts, builder = benchmark_facts(setting.benchmark), builder_of(setting.benchmark)
    if builder.OWN_DATA and setting.options.get("dataset"):
        return replace(
            facts, pretty_name=str(setting.options["dataset"]), task_categories=[task_of(builder.TASK).hub_task]
        )
    return facts


def title(setting: ExportedSetting) -> str:
    """The benchmark's name; sample data says so."""
    name = exported_facts(setting).pretty_name
    return f"{name} (sample data of hf_fewshot)" if setting.is_sample else name


def require_one_dataset(settings: Sequence[ExportedSetting]) -> None:
    """Raises ValueError for settings that do not belong into one repository."""
    titles = list(dict.fromkeys(map(title, settings)))
    if len(titles) > 1:
        raise ValueError(f"{titles[-1]} does not belong beside {titles[0]}. Give each benchmark a place of its own.")


def dataset_card(settings: Sequence[ExportedSetting]) -> SafeDatasetCard:
    """The card of exported settings of one benchmark; files are `data/<configuration>/<split>-*.parquet`."""
    first = settings[0]
    facts, builder = exported_facts(first), builder_of(first.benchmark)
    licence = {"license": facts.license, "license_name": facts.license_name, "license_link": facts.license_link}
    data = DatasetCardData(
        pretty_name=title(first),
        language=facts.language or None,
        task_categories=facts.task_categories,
        tags=[*facts.tags, "hf_fewshot", *(["sample"] if first.is_sample else [])],
        size_categories=[_size(sum(sum(one.rows.values()) for one in settings))],
        configs=[{"config_name": one.name, "data_files": _files(one)} for one in settings],
        **({"license": SAMPLE_LICENSE} if first.is_sample else licence),
    )
    return SafeDatasetCard.from_template(
        data,
        template_path=str(TEMPLATE),
        settings=settings,
        splits=list(dict.fromkeys(split for one in settings for split in one.rows)),
        title=title(first),
        is_sample=first.is_sample,
        facts=facts,
        description=builder.DESCRIPTION,
        citation=builder.CITATION,
        name=markdown_name,
        code=markdown_code,
    )


def _files(setting: ExportedSetting) -> list[dict[str, str]]:
    return [{"split": split, "path": f"{setting.folder}/{split}-*.parquet"} for split in setting.rows]


def eval_file(settings: Sequence[ExportedSetting]) -> str | None:
    """The content of `eval.yaml`; None where there is nothing to compare systems on.

    The Hub validates the file when it is pushed and keeps a list of the frameworks that it knows; a leaderboard with
    this one starts once the list has it. Draws of one setting are one task, since results are summed up over them: it
    names the first.
    """
    tasks: dict[str, dict[str, Any]] = {}
    for one in settings:
        split = one.evaluation_split
        if split is not None:
            identifier = task_id(one.benchmark, one.config, one.options, split)
            tasks.setdefault(identifier, {"id": identifier, "config": one.name, "split": split})
    if not tasks:
        return None
    first = settings[0]
    return yaml_dump(
        {
            "name": title(first),
            "description": builder_of(first.benchmark).DESCRIPTION,
            "evaluation_framework": "hf_fewshot",
            "tasks": list(tasks.values()),
        }
    )


def _size(n_rows: int) -> str:
    """The Hub's category of a number of rows."""
    return SIZES[min(max(len(str(n_rows)) - 3, 0), len(SIZES) - 1)]
