"""Tables of results as Markdown."""

import re
from collections.abc import Iterable, Sequence

from hf_fewshot.report.measures import ERRORS, measure_label
from hf_fewshot.report.settings import settings
from hf_fewshot.report.table import BASELINE, OURS, PUBLISHED, Row, Table, table
from hf_fewshot.results.record import Record

_KINDS = {OURS: "", BASELINE: "trivial baseline", PUBLISHED: "published, not run here:"}


def markdown_tables(records: Iterable[Record]) -> str:
    """One table per setting: our systems, then trivial baselines, then published numbers, in percent."""
    parts: list[str] = []
    benchmark = None
    for one in map(table, settings(records)):
        if one.setting.benchmark != benchmark:
            benchmark = one.setting.benchmark
            parts.append(f"## {_text(benchmark)}")
        parts += [f"### {_text(one.setting.title)}", _scores(one)]
        if one.errors:
            parts.append(_errors(one))
        if one.footnotes:
            parts.append("\n".join(f"{number}. {_text(note)}" for number, note in enumerate(one.footnotes, start=1)))
    return "\n\n".join(parts) + "\n" if parts else ""


def _scores(one: Table) -> str:
    main, *others = one.measures
    heads = ["System", "Encoder", measure_label(main), f"{one.confidence} interval", "Runs"]
    heads += [*map(measure_label, others), "Notes"]
    return _grid(heads, [_line(one, row, main, others) for row in one.rows], right=range(2, len(heads) - 1))


def _line(one: Table, row: Row, main: str, others: Sequence[str]) -> list[str]:
    interval = f"{row.interval} ({', '.join(row.over)})" if row.over else row.interval
    cells = [row.system, row.encoder, _value(row, main), interval, "" if row.n is None else str(row.n)]
    return [*cells, *(_value(row, name) for name in others), _notes(one, row)]


def _errors(one: Table) -> str:
    names = [name for name in ERRORS if any(name in row.values for row in one.errors)]
    lines = [[row.system, *(_value(row, name) for name in names), _notes(one, row)] for row in one.errors]
    heads = ["Errors", *map(measure_label, names), "Notes"]
    return _grid(heads, lines, right=range(1, len(heads) - 1))


def _notes(one: Table, row: Row) -> str:
    """What kind of row it is, and the numbers of its footnotes."""
    return " ".join([_KINDS[row.kind], ", ".join(map(str, one.numbers(row)))]).strip()


def _value(row: Row, name: str) -> str:
    return str(row.values.get(name, ""))


def _grid(heads: list[str], lines: list[list[str]], right: range) -> str:
    rules = ["---:" if place in right else "---" for place in range(len(heads))]
    rows = [heads, rules, *([_text(cell) for cell in line] for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _text(text: str) -> str:
    """Text without what Markdown or HTML would read as its own."""
    return re.sub(r"([\\|<>`*\[\]])|(?<!\w)_|_(?!\w)", r"\\\g<0>", " ".join(text.split()))
