"""What the page shows of records: a view per benchmark and per setting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from hf_fewshot.analyses.findings import Findings
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.report.browser import BrowsedEpisode, read_browse
from hf_fewshot.report.findings_view import FindingsView, analyses_of, findings_view
from hf_fewshot.report.plots import TablePlots, table_plots
from hf_fewshot.report.provenance import provenance
from hf_fewshot.report.score_curves import curves
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.aggregates import overviews
from hf_fewshot.tables.appendix import appendix
from hf_fewshot.tables.family import families
from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.measures import measure_label
from hf_fewshot.tables.overview import Overview
from hf_fewshot.tables.pairs import Pair
from hf_fewshot.tables.settings import Setting, settings
from hf_fewshot.tables.table import PUBLISHED, Table, table


@dataclass(frozen=True)
class SettingView:
    """What the page shows of one setting."""

    table: Table
    plots: TablePlots
    analyses: list[FindingsView]

    @property
    def setting(self) -> Setting:
        """The setting."""
        return self.table.setting

    @property
    def has_published(self) -> bool:
        """Whether published numbers stand beside ours."""
        return any(line.kind == PUBLISHED for line in self.table.lines)

    @cached_property
    def pairs(self) -> list[Pair]:
        """All comparisons of two systems."""
        return self.table.comparisons.pairs


@dataclass(frozen=True)
class BrowsedRun:
    """The episodes of a run to look at.

    Args:
        system: its name.
        label: of the run.
        shares: a number that runs on the same episodes have in common, so that they can stand side by side.
        episodes: that can be looked at.
    """

    system: str
    label: str
    shares: int
    episodes: list[BrowsedEpisode]


@dataclass(frozen=True)
class BenchmarkView:
    """What the page shows under one tab.

    Args:
        name: of the benchmark.
        overviews: settings side by side, where there are several.
        curves: over several settings.
        settings: one by one.
        browsed: runs with episodes to look at.
        provenance: by setting and by the name of a run, facts about it.
        findings: about the benchmark's data.
        footnotes: of all its tables.
        appendix: what a paper would say of the runs.
    """

    name: str
    overviews: list[Overview]
    curves: list[Plot]
    settings: list[SettingView]
    browsed: list[BrowsedRun]
    provenance: dict[str, dict[str, dict[str, str]]]
    findings: list[FindingsView]
    footnotes: Footnotes
    appendix: list[str]

    @property
    def whose(self) -> str:
        """Whose data all results are on, where it is not the benchmark's own; nothing where that differs."""
        different = {view.setting.whose for view in self.settings}
        return different.pop() if len(different) == 1 else ""

    @property
    def has_standings(self) -> bool:
        """Whether systems are compared with the best."""
        return any(len(view.setting.systems) > 1 for view in self.settings)


def benchmark_views(
    records: Sequence[Record],
    browse: Mapping[str, str | Path],
    analyses: Mapping[str, Findings],
    findings: Sequence[Findings],
) -> list[BenchmarkView]:
    """A view per benchmark."""
    found = []
    for name, members in groupby(settings(records), key=lambda setting: setting.benchmark):
        tables = [table(setting) for setting in members]
        plots = table_plots(tables)
        views = [
            SettingView(one, own, analyses_of(one.setting, analyses)) for one, own in zip(tables, plots, strict=True)
        ]
        own = families(tables)
        beside = overviews(own)
        found.append(
            BenchmarkView(
                name,
                beside,
                curves(tables),
                views,
                _browsed(tables, browse),
                _provenance(tables),
                [findings_view(one) for one in findings if one.benchmark == name],
                Footnotes.of_tables(beside, tables),
                appendix([one.setting for one in tables]),
            )
        )
    return found


def _browsed(tables: list[Table], browse: Mapping[str, str | Path]) -> list[BrowsedRun]:
    shared: dict[tuple[str, str], int] = {}
    found = []
    for one in tables:
        for system in one.setting.systems:
            for record in system.records:
                if record.run.name not in browse or record.origin:
                    continue
                label = f"{system.label}, {one.setting.title}, {_repeat(record)}"
                key = one.setting.title, record.episodes["fingerprint"]
                number = shared.setdefault(key, len(shared) + 1)
                found.append(BrowsedRun(system.label, label, number, read_browse(browse[record.run.name])))
    return found


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
