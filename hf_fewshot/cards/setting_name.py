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
# Options with words of their own, which stand in a name whether they were given or are the benchmark's.
WORDS = {"n_way": "way", "shots": "shot"}


def setting_name(
    benchmark: str, config: str | None, data: Mapping[str, Any], *, without: Iterable[str] = DRAWS
) -> str:
    """Configuration and options of the data, such as "inter-5-way-1-shot"; results are summed up over draws.

    Equal settings have equal names: the benchmark's own choices are left out, given or not.
    """
    left_out = {*without, *ELSEWHERE, *places(benchmark)}
    usual = _usual(benchmark, config)
    said = {**{name: usual.get(name) for name in WORDS}, **data}
    # A mapping says what a file calls its columns, which makes no other setting.
    given = {
        name: value
        for name, value in sorted(said.items())
        if name not in left_out and value is not None and not isinstance(value, Mapping)
    }
    sizes = [f"{given.pop(name)}-{word}" for name, word in WORDS.items() if name in given]
    options = [f"{name}-{value}" for name, value in given.items() if name in DRAWS or value != usual.get(name)]
    usual_config = default_config(benchmark, None)
    which = [config] if config not in (None, usual_config) or not sizes + options else []
    return re.sub(r"[^\w.-]+", "-", "-".join([*(name or usual_config for name in which), *sizes, *options]))


def _usual(benchmark: str, config: str | None) -> dict[str, Any]:
    """The options of a configuration where none are given."""
    if benchmark not in BENCHMARKS:
        return {}
    found = builder_of(benchmark).builder_configs.get(default_config(benchmark, config))
    return {} if found is None else vars(found)


def places(benchmark: str) -> tuple[str, ...]:
    """Options that say where files are."""
    return builder_of(benchmark).BUILDER_CONFIG_CLASS.PLACES if benchmark in BENCHMARKS else ("data_dir",)


def task_id(benchmark: str, config: str | None, data: Mapping[str, Any], split: str) -> str:
    """The task of a leaderboard in which results of this setting stand."""
    return f"{setting_name(benchmark, config, data)}-{split}"


def dataset_name(benchmark: str, is_sample: bool) -> str:
    """The name of the dataset repository that holds the exported benchmark; sample data has one of its own."""
    return f"{benchmark}-sample" if is_sample else benchmark
