"""Data of one's own on the command line."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.registry import BENCHMARKS, unknown


def add_own_places(command: argparse.ArgumentParser) -> None:
    """Where data of one's own is."""
    command.add_argument(
        "--data", metavar="FILE", help="data of your own: .csv, .tsv, .json, .jsonl, .parquet, CoNLL, or hub:org/name"
    )
    command.add_argument("--test-data", metavar="FILE", help="with --data: a test set of its own (default: the rest)")


def add_own_data(command: argparse.ArgumentParser) -> None:
    """Where data of one's own is, and how it is read."""
    add_own_places(command)
    command.add_argument("--task", help="with --data: what is to be learnt, such as classification or tagging")
    command.add_argument("--text", metavar="COLUMN", help="with --data: the column of the text or words")
    command.add_argument("--label", metavar="COLUMN", help="with --data: the column of the label or tags")


def choose_benchmark(options: argparse.Namespace) -> None:
    """Sets the benchmark that reads data of one's own for a task, where one was named."""
    if options.task is None:
        return
    own = own_benchmarks()
    if options.task not in own:
        raise unknown("task of data of your own", options.task, own)
    if options.benchmark not in (None, own[options.task]):
        raise ValueError(f"--task {options.task} contradicts the benchmark {options.benchmark}. Give one of them.")
    options.benchmark = own[options.task]


def require_benchmark(options: argparse.Namespace) -> None:
    """A benchmark by its name, or by the task of data of one's own."""
    choose_benchmark(options)
    if options.benchmark is None:
        if options.data is not None:
            raise ValueError(f"--data {options.data}, but what is to be learnt? Say --task {_tasks()}.")
        raise ValueError("Name a benchmark (hf-fewshot list), or give data of your own: --data FILE --task TASK.")


def own_benchmarks() -> dict[str, str]:
    """By task, the benchmark that reads data of one's own."""
    from hf_fewshot.data.benchmark import builder_of

    builders = {name: builder_of(name) for name in BENCHMARKS}
    return {builder.TASK: name for name, builder in builders.items() if builder.OWN_DATA}


def own_options(options: argparse.Namespace, benchmark: str | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Options of the data that follow from how it was named: which columns, and what it is called.

    Args:
        benchmark: that reads it.
        chosen: options that were given.
    """
    given = [f"--{name.replace('_', '-')}" for name in ("data", "test_data", "text", "label") if _of(options, name)]
    if not given or benchmark is None or benchmark not in BENCHMARKS:
        return {}
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.tasks import task_of

    builder = builder_of(benchmark)
    if not builder.OWN_DATA:
        raise ValueError(f"{given[0]} is for data of your own, but {benchmark} is a benchmark. Take --data-dir.")
    label = task_of(builder.TASK).label_columns[0]
    named = {"text": _of(options, "text"), label: _of(options, "label")}
    columns = {name: column for name, column in named.items() if column is not None}
    found: dict[str, Any] = {}
    if columns:
        before = chosen.get("columns") or {}
        for name in columns.keys() & before.keys():
            if columns[name] != before[name]:
                raise ValueError(f"The column of {name} is given twice, as {columns[name]!r} and {before[name]!r}.")
        found["columns"] = {**before, **columns}
    if _of(options, "data") and "dataset" not in chosen:
        found["dataset"] = dataset_name(options.data)
    return found


def dataset_name(place: str) -> str:
    """What data is called by its place: the name of the file, or the last part of a Hub name."""
    if place.startswith("hub:"):
        return place.split(":")[1].rsplit("/", 1)[-1]
    return Path(place).stem or place


def _of(options: argparse.Namespace, name: str) -> Any:
    return getattr(options, name, None)


def _tasks() -> str:
    return " or ".join(sorted(own_benchmarks()))
