"""One name for a setting everywhere: configurations of exports, tasks of leaderboards, results of models."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hf_fewshot.cards.benchmark import default_config
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.registry import BENCHMARKS

# Whose data it is stands in the name of the dataset; where it is on a disk is nobody's business.
ELSEWHERE = ("sample", "cache_dir")


def setting_name(
    benchmark: str, config: str | None, data: Mapping[str, Any], *, without: Iterable[str] = DRAWS
) -> str:
    """Configuration and options of the data, such as "inter-n_way-5-shots-1"; results are summed up over draws."""
    left_out = {*without, *ELSEWHERE, *places(benchmark)}
    given = {key: data[key] for key in sorted(data) if key not in left_out and data[key] is not None}
    # A mapping says what a file calls its columns, which makes no other setting.
    options = [f"{key}-{value}" for key, value in given.items() if not isinstance(value, Mapping)]
    return re.sub(r"[^\w.-]+", "-", "-".join([default_config(benchmark, config), *options]))


def places(benchmark: str) -> tuple[str, ...]:
    """Options that say where files are."""
    return builder_of(benchmark).BUILDER_CONFIG_CLASS.PLACES if benchmark in BENCHMARKS else ("data_dir",)


def task_id(benchmark: str, config: str | None, data: Mapping[str, Any], split: str) -> str:
    """The task of a leaderboard in which results of this setting stand."""
    return f"{setting_name(benchmark, config, data)}-{split}"


def dataset_name(benchmark: str, is_sample: bool) -> str:
    """The name of the dataset repository that holds the exported benchmark; sample data has one of its own."""
    return f"{benchmark}-sample" if is_sample else benchmark
