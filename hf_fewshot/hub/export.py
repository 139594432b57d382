"""A benchmark as a folder of Parquet files, which `datasets` reads without this package."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

from hf_fewshot.cards.benchmark import benchmark_facts
from hf_fewshot.cards.dataset_card import dataset_card, eval_file, require_one_dataset
from hf_fewshot.cards.exported_setting import DATA, FILE_NAME, ExportedSetting, read_setting
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.runs.environment import versions

# The Hub's own limit for files that its viewer reads.
SHARD_BYTES = 500_000_000
# The viewer reads whole row groups to show a page of 100 rows.
GROUP_BYTES = 4_000_000
GROUP_ROWS = 1_000
MADE_BY = ("hf_fewshot", "datasets", "numpy")
CARD, LEADERBOARD = "README.md", "eval.yaml"


def export_benchmark(name: str, config: str | None, output: str | Path, **options: Any) -> Path:
    """Writes the rows of `load_dataset(name, config, **options)` with a card and `eval.yaml` into a folder.

    A folder that an export has written gets one configuration more; those that it has stay as they are, and card and
    `eval.yaml` name all. What is written appears when it is whole. Data that its licence keeps from being passed on
    is refused; sample data is not.
    """
    import datasets

    require_publishable(name, options)
    output = Path(output)
    present = exported_settings(output)
    builder = datasets.load_dataset_builder(name, config, **options)
    builder.download_and_prepare()
    rows = builder.as_dataset()
    setting = _described(name, config, options, builder, rows)
    require_one_dataset([*present, setting])
    for other in present:
        if other.name == setting.name and other != setting:
            raise ValueError(
                f"{output / other.folder} is there already, of other data or made by other versions. Delete it to "
                "export it again, or name another folder."
            )
    if setting in present:
        write_card(output, present)
        return output
    with whole_folder(output / setting.folder if present else output) as unfinished:
        place = unfinished if present else unfinished / setting.folder
        for split, part in rows.items():
            write_split(part, place, str(split))
        (place / FILE_NAME).write_text(setting.written(), encoding="utf-8")
        if not present:
            write_card(unfinished, [setting])
    if present:
        write_card(output, exported_settings(output))
    return output


def exported_settings(folder: Path) -> list[ExportedSetting]:
    """The settings that exports have written into a folder, by name; none where there is no such folder yet."""
    if not os.path.lexists(folder):
        return []
    found = [] if folder.is_symlink() else read_settings(folder)
    if not found:
        raise ValueError(
            f"{folder} is there already, and no export has written it. Name a new folder, or one with an exported "
            "benchmark."
        )
    return found


def read_settings(folder: Path) -> list[ExportedSetting]:
    """The exported settings in a folder, by name."""
    files = sorted(folder.glob(f"{DATA}/[!.]*/{FILE_NAME}"))
    return [read_setting(file.read_bytes(), file.as_posix()) for file in files]


def write_card(folder: Path, settings: Sequence[ExportedSetting]) -> None:
    """The card and `eval.yaml` of settings."""
    contents = {CARD: str(dataset_card(settings)), LEADERBOARD: eval_file(settings)}
    for name, content in contents.items():
        if content is not None:
            with whole_file(folder / name) as unfinished:
                unfinished.write_text(content, encoding="utf-8")


def _described(name: str, config: str | None, options: dict[str, Any], builder: Any, rows: Any) -> ExportedSetting:
    setting = ExportedSetting(
        benchmark=name,
        config=config,
        options=options,
        rows={str(split): len(part) for split, part in rows.items()},
        row="episode" if builder.config.makes_episodes else "example",
        fingerprint=None,
        raw_files=hashlib.sha256(json.dumps(builder.file_hashes(), sort_keys=True).encode()).hexdigest(),
        versions={name: version for name, version in versions().items() if name in MADE_BY},
    )
    split = setting.evaluation_split
    if not builder.config.makes_episodes or split is None:
        return setting
    return replace(setting, fingerprint=builder.episode_set(split).fingerprint)


def require_publishable(name: str, options: Mapping[str, Any]) -> None:
    """Refuses data that its licence keeps from being passed on; sample data is nobody else's."""
    facts = benchmark_facts(name)
    if not facts.may_be_published and not options.get("sample"):
        raise ValueError(
            f"{facts.pretty_name} is licensed data ({facts.license_name}, {facts.license_link}) which must not be "
            "passed on: it is not exported. Give sample=True to export sample data in its format."
        )


def write_split(rows: Any, folder: Path, split: str) -> None:
    """Writes a split as Parquet files of a size that the Hub likes, in row groups that its viewer reads quickly."""
    folder.mkdir(parents=True, exist_ok=True)
    size = rows.data.nbytes
    count = max(1, ceil(size / SHARD_BYTES))
    group = max(1, min(GROUP_ROWS, len(rows) * GROUP_BYTES // max(size, 1)))
    for number in range(count):
        shard = rows.shard(count, number, contiguous=True)
        path = folder / f"{split}-{number:05d}-of-{count:05d}.parquet"
        shard.to_parquet(path, batch_size=group, write_page_index=True)
