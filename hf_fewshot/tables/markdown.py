"""Tables of results as Markdown."""

import re
from collections.abc import Iterable
from itertools import groupby

from hf_fewshot.runs.record import Record
from hf_fewshot.tables.aggregates import aggregates
from hf_fewshot.tables.family import Family, families
from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.measures import ERRORS, measure_label
from hf_fewshot.tables.overview import Line, Overview
from hf_fewshot.tables.pairs import BEST, LEGEND, MARKS, Standing
from hf_fewshot.tables.plain import markdown_name, markdown_text, one_line
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import ALL_MODELS, BASELINE, OURS, PUBLISHED, TableLine, table
from hf_fewshot.text.visible import visible

_KINDS = {OURS: "", ALL_MODELS: "all models", BASELINE: "trivial baseline", PUBLISHED: "published, not run here"}
# By which a command makes some of its runs: jobs of an array, runs by name.
OF_A_PART = re.compile(r" --task-index[ =]\d+| --only(?:[ =](?!--)\S+)+")
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
    """The headings and tables of one benchmark, and their footnotes."""
    overviews = [*aggregates(members), *(family.overview for family in members)]
    footnotes = Footnotes.of_tables(overviews, (one for family in members for one in family.tables))
    parts = []
    for aggregate in overviews[: -len(members)]:
        parts += [f"### {markdown_name(aggregate.title)}", _overview(aggregate, footnotes)]
    for family in members:
        parts += [f"### {markdown_name(family.overview.title)}", *_tables(family, footnotes)]
    if any(any(line.standings) for one in overviews for line in one.lines):
        parts.append(markdown_text(LEGEND))
    if footnotes:
        parts += ["### Notes", "\n".join(f"{number}. {markdown_text(note)}" for number, note in footnotes)]
    return parts


def _tables(family: Family, footnotes: Footnotes) -> list[str]:
    """The tables of a family."""
    found = [_overview(family.overview, footnotes), _details(family)]
    if any(one.errors for one in family.tables):
        found.append(_errors(family, footnotes))
    found += dict.fromkeys(
        markdown_text(": ".join(filter(None, [one.setting.column, one.few_rows])))
        for one in family.tables
        if one.few_rows
    )
    return found


def _overview(overview: Overview, footnotes: Footnotes) -> str:
    """The main measure of every system: a column per setting."""
    heads = [measure_label(overview.measure), "Encoder", *overview.columns, "Notes"]
    lines = []
    for line in overview.lines:
        scores = [_standing(_shown(value), line.standing(place)) for place, value in enumerate(line.values)]
        names = map(markdown_name, (line.system, line.encoder))
        lines.append([*names, *scores, markdown_name(_notes(footnotes, line))])
    return _rows([*map(markdown_name, heads)], lines, right=range(2, len(heads) - 1))


def _standing(score: str, standing: Standing) -> str:
    """The best of ours is bold, and a mark stands behind what cannot be told apart from it."""
    return f"**{score}**" if standing == BEST else f"{score} {MARKS[standing]}" if standing else score


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


def _errors(family: Family, footnotes: Footnotes) -> str:
    found = [(one, line) for one in family.tables for line in one.errors]
    names = [name for name in ERRORS if any(name in line.values for _, line in found)]
    lines = []
    for one, line in found:
        values = [_shown(line.values.get(name)) for name in names]
        lines.append([one.setting.column, line.system, *values, _notes(footnotes, line)])
    heads = ["Setting", "Errors", *map(measure_label, names), "Notes"]
    return _grid(heads, lines, right=range(2, len(heads) - 1))


def _commands(records: Iterable[Record]) -> str:
    """The commands of runs, how many of them each made, and with which code; those of parts are that of the whole."""
    counts: dict[tuple[str, str], int] = {}
    for record in records:
        command = OF_A_PART.sub("", visible(record.command, keep="")) or "(not by a command)"
        commit = one_line(record.environment.get("commit") or "")[:10]
        key = (command, f", commit {commit}" if commit else "")
        counts[key] = counts.get(key, 0) + 1
    return "\n".join(
        f"    {command}  # {number} run{'s' if number > 1 else ''}{commit}"
        for (command, commit), number in counts.items()
    )


def _interval(line: TableLine) -> str:
    return f"{line.interval} ({', '.join(line.over)})" if line.over else line.interval


def _notes(footnotes: Footnotes, line: Line | TableLine) -> str:
    """What kind of line it is, and the numbers of its footnotes."""
    numbers = ", ".join(map(str, footnotes.numbers(line)))
    return ": ".join(part for part in (_KINDS[line.kind], numbers) if part)


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _grid(heads: list[str], lines: list[list[str]], right: range) -> str:
    return _rows([*map(markdown_name, heads)], [[*map(markdown_name, line)] for line in lines], right)


def _rows(heads: list[str], lines: list[list[str]], right: range) -> str:
    rules = ["---:" if place in right else "---" for place in range(len(heads))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rules, *lines))
