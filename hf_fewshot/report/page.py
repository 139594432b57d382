"""The report: one HTML file that needs nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from hf_fewshot.analyses.findings import Findings
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.report.browser import BrowsedEpisode, read_browse
from hf_fewshot.report.findings_view import FindingsView, analyses_of, findings_view
from hf_fewshot.report.html import SCRIPT, STYLE, html_templates, own_text
from hf_fewshot.report.pairs import Pair, pairs, shown_p
from hf_fewshot.report.plots import confusions, curves, domain_bars, error_bars
from hf_fewshot.report.provenance import provenance
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.aggregates import aggregates
from hf_fewshot.tables.family import families
from hf_fewshot.tables.measures import ERRORS, measure_label
from hf_fewshot.tables.overview import Overview
from hf_fewshot.tables.settings import Setting, settings
from hf_fewshot.tables.table import Table, TableLine, table

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class SettingView:
    """What the page shows of one setting."""

    table: Table
    pairs: list[Pair]
    errors: list[Plot]
    domains: list[Plot]
    confusions: list[Plot]
    analyses: list[FindingsView]

    @property
    def setting(self) -> Setting:
        """The setting."""
        return self.table.setting


@dataclass(frozen=True)
class BenchmarkView:
    """What the page shows under one tab.

    Args:
        name: of the benchmark.
        overviews: settings side by side, where there are several.
        curves: over several settings.
        settings: one by one.
        browsed: by the name of a run, its episodes.
        provenance: by setting and by the name of a run, facts about it.
        findings: about the benchmark's data.
    """

    name: str
    overviews: list[Overview]
    curves: list[Plot]
    settings: list[SettingView]
    browsed: dict[str, list[BrowsedEpisode]]
    provenance: dict[str, dict[str, dict[str, str]]]
    findings: list[FindingsView]


def write_report(
    records: Iterable[Record],
    output: str | Path,
    browse: Mapping[str, str | Path] | None = None,
    analyses: Mapping[str, Findings] | None = None,
    findings: Iterable[Findings] = (),
) -> Path:
    """Writes the report of records as one HTML file without links to anything outside; it appears when it is whole.

    Args:
        records: at least one.
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
    return _write(_render(_views(records, browse, analyses, findings), records), Path(output))


def _views(
    records: list[Record],
    browse: Mapping[str, str | Path],
    analyses: Mapping[str, Findings],
    findings: list[Findings],
) -> list[BenchmarkView]:
    found = []
    for name, members in groupby(settings(records), key=lambda setting: setting.benchmark):
        tables = [table(setting) for setting in members]
        views = [_setting_view(one, analyses) for one in tables]
        own = families(tables)
        overviews = [*aggregates(own), *(family.overview for family in own if len(family.tables) > 1)]
        browsed, facts = _browsed(tables, browse), _provenance(tables)
        about = [findings_view(one) for one in findings if one.benchmark == name]
        found.append(BenchmarkView(name, overviews, curves(tables), views, browsed, facts, about))
    return found


def _setting_view(one: Table, analyses: Mapping[str, Findings]) -> SettingView:
    setting = one.setting
    plots = error_bars(one), domain_bars(setting), confusions(setting)
    return SettingView(one, pairs(setting), *plots, analyses_of(setting, analyses))


def _browsed(tables: list[Table], browse: Mapping[str, str | Path]) -> dict[str, list[BrowsedEpisode]]:
    return {
        f"{system.label}, {one.setting.title}, {_repeat(record)}": read_browse(browse[record.run.name])
        for one in tables
        for system in one.setting.systems
        for record in system.records
        if record.run.name in browse and not record.origin
    }


def _provenance(tables: list[Table]) -> dict[str, dict[str, dict[str, str]]]:
    return {
        f"{one.setting.title}, {measure_label(one.setting.measure)}": {
            f"{system.label}, {_repeat(record)}": provenance(record)
            for system in one.setting.systems
            for record in system.records
        }
        for one in tables
    }


def _repeat(record: Record) -> str:
    """The draws and the seed of a record, such as "fold 3, seed 0"."""
    names = {"seed": "episode seed"}
    draws = [f"{names.get(name, name)} {record.run.data[name]}" for name in DRAWS if name in record.run.data]
    return ", ".join([*draws, f"seed {record.run.seed}"])


def _over(lines: Iterable[TableLine | Pair]) -> tuple[str, ...]:
    """What all intervals of a table account for; nothing where they differ."""
    different = {line.over for line in lines if line.over}
    return different.pop() if len(different) == 1 else ()


def _render(views: list[BenchmarkView], records: list[Record]) -> str:
    templates = html_templates(_FOLDER)
    templates.globals["common_sources"] = _over
    templates.filters["p_value"] = shown_p
    style, script = own_text(STYLE), own_text(SCRIPT)
    return templates.get_template("report.html.jinja").render(
        benchmarks=views, style=style, script=script, errors=ERRORS, counts=_counts(views, records)
    )


def _counts(views: list[BenchmarkView], records: list[Record]) -> dict[str, Any]:
    days = sorted(record.started[:10] for record in records)
    return {
        "runs": len(records),
        "settings": sum(len(view.settings) for view in views),
        "benchmarks": len(views),
        "days": days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}",
    }


def _write(text: str, path: Path) -> Path:
    with whole_file(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return path
