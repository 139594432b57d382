"""The tables of a report as files for papers and spreadsheets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from hf_fewshot.analyses.findings import Findings
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.report.file_names import table_name
from hf_fewshot.report.findings_view import median_analyses
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.aggregates import overviews
from hf_fewshot.tables.appendix import appendix
from hf_fewshot.tables.csv_text import csv_text
from hf_fewshot.tables.family import families
from hf_fewshot.tables.grid import Grid
from hf_fewshot.tables.grids import benchmark_grids
from hf_fewshot.tables.latex import HEAD, latex_table, latex_text
from hf_fewshot.tables.plain import one_line
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import table

Given = Mapping[str, Findings]


def write_latex(
    records: Sequence[Record], folder: str | Path, analyses: Given | None = None, findings: Iterable[Findings] = ()
) -> list[Path]:
    """Writes each table of the report as a LaTeX table, and `appendix.tex` with settings, seeds and versions."""
    paths = _write(records, folder, ".tex", lambda grid: HEAD + latex_table(grid), analyses, findings)
    return [*paths, _appendix(records, Path(folder) / "appendix.tex", latex_text)]


def write_csv(
    records: Sequence[Record], folder: str | Path, analyses: Given | None = None, findings: Iterable[Findings] = ()
) -> list[Path]:
    """Writes each table of the report as CSV, and `appendix.txt` with settings, seeds and versions."""
    paths = _write(records, folder, ".csv", csv_text, analyses, findings)
    return [*paths, _appendix(records, Path(folder) / "appendix.txt", one_line)]


def _write(
    records: Sequence[Record],
    folder: str | Path,
    ending: str,
    text: Callable[[Grid], str],
    analyses: Given | None,
    findings: Iterable[Findings],
) -> list[Path]:
    folder, paths = Path(folder), []
    folder.mkdir(parents=True, exist_ok=True)
    findings = list(findings)
    for name, members in groupby(settings(records), key=lambda setting: setting.benchmark):
        tables = [table(setting) for setting in members]
        own = families(tables)
        about = [one for one in findings if one.benchmark == name]
        about += [one for part in tables for _, one in median_analyses(part.setting, analyses or {})]
        for grid in benchmark_grids(overviews(own), own, about):
            paths.append(folder / f"{table_name(name, grid.title)}{ending}")
            _whole(paths[-1], text(grid))
    return paths


def _appendix(records: Sequence[Record], path: Path, text: Callable[[str], str]) -> Path:
    parts = []
    for name, members in groupby(settings(records), key=lambda setting: setting.benchmark):
        parts += [text(paragraph) for paragraph in [f"{name}.", *appendix(list(members))]]
    _whole(path, "\n\n".join(parts) + "\n")
    return path


def _whole(path: Path, text: str) -> None:
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
