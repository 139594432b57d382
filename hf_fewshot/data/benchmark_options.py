"""The options of a benchmark: which it has, of which types, and how large they may be.

Files of strangers (predictions, records, recipes) name options. They choose among the benchmark's own, never what else
`datasets` takes: where files are read from and written to, tokens, numbers of processes.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.episodes.options import MAX_SEED
from hf_fewshot.files.option_types import check_types, option_types

__all__ = ["MAX_SEED", "benchmark_options", "check_benchmark_options", "config_with"]


def benchmark_options(benchmark: str) -> dict[str, Any]:
    """The benchmark's own options by name, and their annotations."""
    from datasets import BuilderConfig

    kind = builder_of(benchmark).BUILDER_CONFIG_CLASS
    return option_types(kind, leave_out=[*option_types(BuilderConfig), *kind.PLACES])


def check_benchmark_options(
    benchmark: str, config: str | None, options: Mapping[str, Any], *, data_dir: str | Path | None = None
) -> None:
    """Raises ValueError for options that the benchmark does not have, or not of this type, size or together.

    No file is opened; whether the data has so many classes and examples, sampling says.

    Args:
        config: its configuration; None: the default one.
        options: names and values.
        data_dir: where the raw files are, if it was said: some options make sense with it alone.
    """
    known = benchmark_options(benchmark)
    _refuse_places(benchmark, options, known)
    check_types(known, options, f"option of {benchmark}")
    place = {} if data_dir is None else {"data_dir": str(data_dir)}
    config_with(benchmark, config, {**options, **place}).check()


def config_with(benchmark: str, config: str | None, options: Mapping[str, Any]) -> Any:
    """A configuration of a benchmark with these options, which it has."""
    builder = builder_of(benchmark)
    return replace(builder.builder_configs[builder.config_name(config)], **options)


def _refuse_places(benchmark: str, options: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """No option says where files are; since `load_dataset` takes those, the error has a remedy of its own."""
    builder = builder_of(benchmark)
    where = "your data is, with --data" if builder.OWN_DATA else "your copy of the data is, with --data-dir"
    for name in dict.fromkeys((*builder.BUILDER_CONFIG_CLASS.PLACES, "data_files", "cache_dir")):
        if name in options:
            raise ValueError(
                f"{name}={options[name]!r} is no option of {benchmark}, which has {', '.join(known)}. Say on the "
                f"command line where {where}."
            )
