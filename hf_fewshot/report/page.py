"""The report: one HTML file that needs nothing else."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.analyses.findings import Findings
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.report.html import SCRIPT, STYLE, html_templates, own_text
from hf_fewshot.report.views import BenchmarkView, benchmark_views
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.csv_text import csv_text
from hf_fewshot.tables.grids import comparisons_grid, errors_grid, overview_grid, scores_grid, sheet_grid
from hf_fewshot.tables.latex import latex_table, latex_text
from hf_fewshot.tables.measures import ERRORS
from hf_fewshot.tables.pairs import LEGEND, MARKS, Pair, shown_p
from hf_fewshot.tables.table import TableLine

_FOLDER = Path(__file__).parent


def write_report(
    records: Iterable[Record],
    output: str | Path,
    browse: Mapping[str, str | Path] | None = None,
    analyses: Mapping[str, Findings] | None = None,
    findings: Iterable[Findings] = (),
) -> Path:
    """Writes the report of records as one HTML file without links to anything outside; it appears when it is whole.

    Args:
        records: at least one; systems stand in their order.
        output: path of the file.
        browse: by `Run.name`, the `browse.jsonl` of runs whose episodes can be looked at.
        analyses: by `Run.name`, those of runs that were looked into.
        findings: others, about the data of benchmarks that have records.
    """
    records, findings = list(records), list(findings)
    if not records:
        raise ValueError("Expected at least one record, got none. Run something first: `hf-fewshot run`.")
    browse, analyses = browse or {}, analyses or {}
    names = {record.run.name for record in records}
    for what, given in (("Episodes to browse", browse), ("Analyses", analyses)):
        unknown = sorted(set(given) - names)
        if unknown:
            raise ValueError(f"{what} of {', '.join(unknown)}, but there is no record of that name.")
    others = sorted({one.benchmark for one in findings} - {record.run.benchmark for record in records})
    if others:
        raise ValueError(f"Findings about {', '.join(others)}, but there is no record of that benchmark.")
    text = _render(benchmark_views(records, browse, analyses, findings), records)
    with whole_file(output) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return Path(output)


def _over(lines: Iterable[TableLine | Pair]) -> tuple[str, ...]:
    """What all intervals of a table account for; nothing where they differ."""
    different = {line.over for line in lines if line.over}
    return different.pop() if len(different) == 1 else ()


def _render(views: list[BenchmarkView], records: list[Record]) -> str:
    templates = html_templates(_FOLDER)
    templates.globals |= {
        "common_sources": _over,
        "legend": LEGEND,
        "signs": MARKS,
        "overview_grid": overview_grid,
        "scores_grid": scores_grid,
        "errors_grid": errors_grid,
        "comparisons_grid": comparisons_grid,
        "sheet_grid": sheet_grid,
    }
    templates.filters |= {
        "p_value": shown_p,
        "latex": latex_table,
        "latex_text": latex_text,
        "csv": csv_text,
        "within": _within,
    }
    style, script = own_text(*STYLE), own_text(SCRIPT, _FOLDER / "contents.js")
    return templates.get_template("report.html.jinja").render(
        benchmarks=views, style=style, script=script, errors=ERRORS, counts=_counts(views, records)
    )


def _within(title: str, benchmark: str) -> str:
    """A title below the name of its benchmark, which need not be said again."""
    return re.sub(rf"^{re.escape(benchmark)}(/|, )", "", title)


def _counts(views: list[BenchmarkView], records: list[Record]) -> dict[str, Any]:
    days = sorted(record.started[:10] for record in records)
    return {
        "runs": len(records),
        "settings": sum(len(view.settings) for view in views),
        "benchmarks": len(views),
        "days": days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}",
    }
