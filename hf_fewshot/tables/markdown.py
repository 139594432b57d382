"""Tables of results as Markdown."""

import re
from collections.abc import Iterable
from itertools import groupby

from hf_fewshot.runs.record import Record
from hf_fewshot.tables.aggregates import aggregates
from hf_fewshot.tables.family import Family, families
from hf_fewshot.tables.measures import ERRORS, measure_label
from hf_fewshot.tables.overview import Line, Overview
from hf_fewshot.tables.plain import markdown_name, markdown_text, one_line
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import ALL_MODELS, BASELINE, OURS, PUBLISHED, TableLine, table
from hf_fewshot.text.visible import visible

_KINDS = {OURS: "", ALL_MODELS: "all models", BASELINE: "trivial baseline", PUBLISHED: "published, not run here"}
INTRODUCTION = """\
# Results

Made from {n} records by `hf-fewshot report --markdown`. Scores are in percent: mean ± standard deviation over runs,
which differ in seeds, folds or draws. An interval accounts for what is named behind it. Trivial baselines answer the
same queries. Published numbers were not run here: encoders, training or data differ from ours, as their notes say."""


def markdown_page(records: Iterable[Record]) -> str:
    """A page with the results of each benchmark, and the commands that made them."""
    records = list(records)
    parts = [INTRODUCTION.format(n=len(records))]
    for benchmark, own in groupby(_families(records), key=lambda family: family.benchmark):
        members = list(own)
        made = (record for family in members for one in family.tables for record in one.setting.records)
        parts += [f"## {markdown_name(benchmark)}", *_results(members), "### Commands", _commands(made)]
    return "\n\n".join(parts) + "\n"


def markdown_tables(records: Iterable[Record]) -> str:
    """The results of each benchmark in percent, beside trivial baselines and published numbers."""
    parts: list[str] = []
    for benchmark, own in groupby(_families(records), key=lambda family: family.benchmark):
        parts += [f"## {markdown_name(benchmark)}", *_results(list(own))]
    return "\n\n".join(parts) + "\n" if parts else ""


def _families(records: Iterable[Record]) -> list[Family]:
    return families(map(table, settings(records)))


def _results(members: list[Family]) -> list[str]:
    """The headings and tables of one benchmark."""
    parts = []
    for aggregate in aggregates(members):
        parts += [f"### {markdown_name(aggregate.title)}", _overview(aggregate)]
    for family in members:
        parts += [f"### {markdown_name(family.overview.title)}", *_tables(family)]
    return parts


def _tables(family: Family) -> list[str]:
    """The tables of a family, and their footnotes."""
    found = [_overview(family.overview), _details(family)]
    if any(one.errors for one in family.tables):
        found.append(_errors(family))
    found += dict.fromkeys(
        markdown_text(": ".join(filter(None, [one.setting.column, one.few_rows])))
        for one in family.tables
        if one.few_rows
    )
    notes = family.overview.footnotes
    if notes:
        found.append("\n".join(f"{number}. {markdown_text(note)}" for number, note in enumerate(notes, start=1)))
    return found


def _overview(overview: Overview) -> str:
    """The main measure of every system: a column per setting."""
    heads = [measure_label(overview.measure), "Encoder", *overview.columns, "Notes"]
    lines = [[line.system, line.encoder, *map(_shown, line.values), _notes(overview, line)] for line in overview.lines]
    return _grid(heads, lines, right=range(2, len(heads) - 1))


def _details(family: Family) -> str:
    """Confidence intervals of our systems, and all other measures: a line per setting and system."""
    others = list(dict.fromkeys(name for one in family.tables for name in one.measures[1:]))
    heads = ["Setting", "System", "Encoder", f"{family.tables[0].confidence} interval", "Runs"]
    heads += map(measure_label, others)
    lines = [
        [one.setting.column, line.system, line.encoder, _interval(line), "" if line.n is None else str(line.n)]
        + [_shown(line.values.get(name)) for name in others]
        for one in family.tables
        for line in one.lines
        if line.kind in (OURS, ALL_MODELS) or any(name in line.values for name in others)
    ]
    return _grid(heads, lines, right=range(3, len(heads)))


def _errors(family: Family) -> str:
    found = [(one, line) for one in family.tables for line in one.errors]
    names = [name for name in ERRORS if any(name in line.values for _, line in found)]
    lines = []
    for one, line in found:
        values = [_shown(line.values.get(name)) for name in names]
        lines.append([one.setting.column, line.system, *values, _notes(family.overview, line)])
    heads = ["Setting", "Errors", *map(measure_label, names), "Notes"]
    return _grid(heads, lines, right=range(2, len(heads) - 1))


def _commands(records: Iterable[Record]) -> str:
    """The commands of runs, how many of them each made, and with which code; the jobs of an array are one command."""
    counts: dict[tuple[str, str], int] = {}
    for record in records:
        command = re.sub(r" --task-index[ =]\d+", "", visible(record.command, keep="")) or "(not by a command)"
        commit = one_line(record.environment.get("commit") or "")[:10]
        key = (command, f", commit {commit}" if commit else "")
        counts[key] = counts.get(key, 0) + 1
    return "\n".join(
        f"    {command}  # {number} run{'s' if number > 1 else ''}{commit}"
        for (command, commit), number in counts.items()
    )


def _interval(line: TableLine) -> str:
    return f"{line.interval} ({', '.join(line.over)})" if line.over else line.interval


def _notes(overview: Overview, line: Line | TableLine) -> str:
    """What kind of line it is, and the numbers of its footnotes."""
    numbers = ", ".join(map(str, overview.numbers(line)))
    return ": ".join(part for part in (_KINDS[line.kind], numbers) if part)


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _grid(heads: list[str], lines: list[list[str]], right: range) -> str:
    rules = ["---:" if place in right else "---" for place in range(len(heads))]
    names = ([markdown_name(cell) for cell in line] for line in (heads, *lines))
    shown = [next(names), rules, *names]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown)
