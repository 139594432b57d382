"""Files of published numbers: tables as they stand in papers, one file per benchmark.

A file has the fields of all its tables, and `tables`. A table has rows (systems) and columns (settings). What a table,
a column or a row says replaces what stands above it; options of the data and remarks are added instead.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.files.from_mapping import mapping_problems
from hf_fewshot.published.score import PublishedError, PublishedScore
from hf_fewshot.registry import BENCHMARKS, suggestion

FILE_NAME = "published.yaml"  # in the folder of a benchmark

COLUMN = ("config", "data", "other_data", "split", "remarks")
SETTING = ("benchmark", *COLUMN, "measures", "encoder", "source", "data_version")
NEEDED = ("benchmark", "config", "split", "measures", "source", "data_version", "system")


def read_published(benchmark: str) -> tuple[PublishedScore, ...]:
    """All published scores of a benchmark, in the order of its file; none where it has no file."""
    file = builder_of(benchmark).folder() / FILE_NAME
    return read_file(file) if file.exists() else ()


@cache
def read_file(file: Path) -> tuple[PublishedScore, ...]:
    """The scores of a file; anything it lacks or that is unknown is an error."""
    name = f"{file.parent.name}/{file.name}"
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or not isinstance(content.get("tables"), list):
        raise PublishedError(f"{name}: expected fields and a list of tables, got {type(content).__name__}.")
    base = _known(name, content, (*SETTING, "tables"))
    scores: list[PublishedScore] = []
    for number, table in enumerate(content["tables"], start=1):
        scores += _scores(f"{name}, table {number}", base, table)
    return tuple(scores)


def _scores(place: str, base: dict[str, Any], table: dict[str, Any]) -> Iterator[PublishedScore]:
    fields = _joined(base, _known(place, table, (*SETTING, "columns", "rows")))
    columns = fields.pop("columns", [])
    for row in fields.pop("rows", []):
        where = f"{place}, {row.get('system')}"
        own = _known(where, row, ("system", "encoder", "remarks", "scores", "std"))
        values = own.pop("scores", [])
        deviations = own.pop("std", [None] * len(columns))
        if not len(columns) == len(values) == len(deviations):
            raise PublishedError(
                f"{where}: expected as many scores and deviations as columns, got {len(columns)} columns, "
                f"{len(values)} scores, {len(deviations)} deviations."
            )
        for column, value, deviation in zip(columns, values, deviations, strict=True):
            if value is not None:
                cell = _joined(_joined(fields, _known(where, column, COLUMN)), own)
                yield _score(where, cell, value, deviation)


def _score(place: str, cell: dict[str, Any], value: Any, deviation: Any) -> PublishedScore:
    missing = [name for name in NEEDED if not cell.get(name)]
    if missing:
        raise PublishedError(f"{place}: expected {', '.join(NEEDED)}, but there is no {', '.join(missing)}. Add it.")
    if cell["benchmark"] not in BENCHMARKS:
        raise PublishedError(
            f"{place}: unknown benchmark {cell['benchmark']!r}. {suggestion(cell['benchmark'], BENCHMARKS)}"
        )
    known = builder_of(cell["benchmark"]).MEASURES
    for name in cell["measures"]:
        if name not in known:
            raise PublishedError(
                f"{place}: unknown measure {name!r} of {cell['benchmark']}. {suggestion(name, known)}"
            )
    return PublishedScore(
        benchmark=cell["benchmark"],
        config=cell["config"],
        data=cell.get("data", {}),
        split=cell["split"],
        system=cell["system"],
        encoder=cell.get("encoder"),
        scores=_percentages(place, cell["measures"], value),
        std={} if deviation is None else _deviations(place, cell["measures"], deviation),
        source=cell["source"],
        data_version=cell["data_version"],
        remarks=tuple(cell.get("remarks", ())),
        other_data=cell.get("other_data"),
    )


def _deviations(place: str, measures: list[str], values: Any) -> dict[str, float]:
    """Of those measures that have one: a list has null for the others."""
    numbers = values if isinstance(values, list) else [values]
    if len(numbers) != len(measures):
        raise PublishedError(f"{place}: expected deviations of {', '.join(measures)}, or null, got {values!r}.")
    known = {name: number for name, number in zip(measures, numbers, strict=True) if number is not None}
    return _percentages(place, list(known), list(known.values()))


def _percentages(place: str, measures: list[str], values: Any) -> dict[str, float]:
    """A number for each measure; of one measure it may stand alone."""
    numbers = values if isinstance(values, list) else [values]
    wrong = [
        one for one in numbers if isinstance(one, bool) or not isinstance(one, int | float) or not 0 <= one <= 100
    ]
    if wrong or len(numbers) != len(measures):
        raise PublishedError(f"{place}: expected percentages of {', '.join(measures)}, got {values!r}.")
    return dict(zip(measures, map(float, numbers), strict=True))


def _joined(above: Mapping[str, Any], below: Mapping[str, Any]) -> dict[str, Any]:
    """What stands below replaces what stands above; options and remarks are added to it."""
    fields = {**above, **below}
    if "data" in above and "data" in below:
        fields["data"] = {**above["data"], **below["data"]}
    if "remarks" in above and "remarks" in below:
        fields["remarks"] = [*above["remarks"], *below["remarks"]]
    return fields


def _known(place: str, content: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    for problem in mapping_problems(dict.fromkeys(names, Any), (), content, place):
        raise PublishedError(problem)
    return {name: value for name, value in content.items() if name != "tables"}
