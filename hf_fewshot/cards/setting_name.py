"""One name for a setting everywhere: configurations of exports, tasks of leaderboards, results of models."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hf_fewshot.cards.benchmark import default_config
from hf_fewshot.data.draws import DRAWS

# Whose data it is stands in the name of the dataset; where it is on a disk is nobody's business.
ELSEWHERE = ("sample", "data_dir", "cache_dir")


def setting_name(
    benchmark: str, config: str | None, data: Mapping[str, Any], *, without: Iterable[str] = DRAWS
) -> str:
    """Configuration and options of the data, such as "inter-n_way-5-shots-1"; results are summed up over draws."""
    left_out = {*without, *ELSEWHERE}
    options = [f"{key}-{data[key]}" for key in sorted(data) if key not in left_out and data[key] is not None]
    return re.sub(r"[^\w.-]+", "-", "-".join([default_config(benchmark, config), *options]))


def task_id(benchmark: str, config: str | None, data: Mapping[str, Any], split: str) -> str:
    """The task of a leaderboard in which results of this setting stand."""
    return f"{setting_name(benchmark, config, data)}-{split}"


def dataset_name(benchmark: str, is_sample: bool) -> str:
    """The name of the dataset repository that holds the exported benchmark; sample data has one of its own."""
    return f"{benchmark}-sample" if is_sample else benchmark
