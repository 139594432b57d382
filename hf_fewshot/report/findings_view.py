"""Findings as the page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass

from hf_fewshot.analyses.findings import Findings, Sheet
from hf_fewshot.report.findings_plots import cell_text, findings_plots, numeric_columns
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.settings import Setting


@dataclass(frozen=True)
class SheetView:
    """A table: heads with whether their column is of numbers, and rows of texts with what they sort by."""

    title: str
    heads: list[tuple[str, bool]]
    rows: list[list[tuple[str, float | None]]]
    note: str
    sheet: Sheet


@dataclass(frozen=True)
class FindingsView:
    """Tables and plots below a heading."""

    title: str
    sheets: list[SheetView]
    plots: list[Plot]


def findings_view(findings: Findings, title: str = "") -> FindingsView:
    """What the page shows of findings, below their own title or another one."""
    return FindingsView(title or findings.title, list(map(_sheet, findings.sheets)), findings_plots(findings))


def _sheet(sheet: Sheet) -> SheetView:
    numeric = numeric_columns(sheet.rows, len(sheet.heads))
    rows = [
        [(cell_text(cell), float(cell) if isinstance(cell, int | float) else None) for cell in row]
        for row in sheet.rows
    ]
    return SheetView(sheet.title, list(zip(sheet.heads, numeric, strict=True)), rows, sheet.note, sheet)


def analyses_of(setting: Setting, analyses: Mapping[str, Findings]) -> list[FindingsView]:
    """The analysis of each system that has one, as the page shows it."""
    return [findings_view(one, title) for title, one in median_analyses(setting, analyses)]


def median_analyses(setting: Setting, analyses: Mapping[str, Findings]) -> list[tuple[str, Findings]]:
    """The analysis of each system that has one: of several runs, that of the run with the median score."""
    found = []
    for system in setting.systems:
        # Analyses are of this machine: a run of the same name in a repository has none.
        own = [one for one in system.records if one.run.name in analyses and not one.origin]
        known = sorted(own, key=_rank)
        if known:
            median = known[(len(known) - 1) // 2]
            which = f", the median of {len(known)} runs (seed {median.run.seed})" if len(known) > 1 else ""
            found.append((f"{system.label}{which}", analyses[median.run.name]))
    return found


def _rank(record: Record) -> tuple[float, str]:
    return record.score, record.run.name
