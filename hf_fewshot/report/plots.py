"""All plots of records: curves, errors, domains, confusions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.report.bars import Bars
from hf_fewshot.report.file_names import plot_name
from hf_fewshot.report.heat_map import HeatMap
from hf_fewshot.report.score_curves import curves
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics import mean_and_std
from hf_fewshot.tables.measures import ERRORS, measure_label, percent
from hf_fewshot.tables.settings import Setting, SystemRecords, settings
from hf_fewshot.tables.table import OURS, Table, table


@dataclass(frozen=True)
class TablePlots:
    """The plots of one table."""

    errors: list[Plot]
    domains: list[Plot]
    confusions: list[Plot]


def write_plots(records: Iterable[Record], folder: str | Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Writes the plots of the report as files, and returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tables = [table(setting) for setting in settings(records)]
    plots = curves(tables)
    for one in table_plots(tables):
        plots += [*one.errors, *one.domains, *one.confusions]
    paths = []
    for plot in plots:
        for kind in formats:
            paths.append(folder / f"{plot.name}.{kind}")
            plot.save(paths[-1])
    return paths


def table_plots(tables: Sequence[Table]) -> list[TablePlots]:
    """The plots of each table; bars of one benchmark and measure have equal axes."""
    bars = [(_error_bars(one), _domain_bars(one.setting)) for one in tables]
    tops: dict[tuple[str, str], float] = {}
    for one, both in zip(tables, bars, strict=True):
        for found in filter(None, both):
            key = one.setting.benchmark, found.measure
            tops[key] = max(tops.get(key, 0.0), found.highest)
    plots = []
    for one, (errors, domains) in zip(tables, bars, strict=True):
        setting = one.setting
        of_errors = _plots(setting, "errors", "Kinds of errors of our systems", errors, tops)
        of_domains = _plots(setting, "domains", f"{measure_label(setting.measure)} by domain", domains, tops)
        plots.append(TablePlots(of_errors, of_domains, _confusions(setting)))
    return plots


def _plots(setting: Setting, kind: str, caption: str, bars: Bars | None, tops: Mapping[Any, float]) -> list[Plot]:
    if bars is None:
        return []
    drawn = bars.up_to(tops[setting.benchmark, bars.measure])
    name, title = plot_name(setting, kind), f"{caption}: {setting.title}"
    return [Plot(name, title, caption, drawn.description, drawn.size, drawn.paint)]


def _error_bars(one: Table) -> Bars | None:
    """The kinds of errors of our systems, side by side."""
    ours = [line for line in one.errors if line.kind == OURS]
    if not ours:
        return None
    names = [name for name in ERRORS if any(name in line.values for line in ours)]
    series = {
        line.system: [(v.mean, v.std or 0.0) if (v := line.values.get(name)) else None for name in names]
        for line in ours
    }
    return Bars("share", [ERRORS[name] for name in names], series, _numbers(one.setting))


def _domain_bars(setting: Setting) -> Bars | None:
    """The main measure in each domain."""
    series = {system.label: found for system in setting.systems if (found := _domains(system))}
    if not series:
        return None
    domains = list(dict.fromkeys(domain for scores in series.values() for domain in scores))
    values = {label: [scores.get(domain) for domain in domains] for label, scores in series.items()}
    return Bars(measure_label(setting.measure), domains, values, _numbers(setting))


def _domains(system: SystemRecords) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation over records of each domain that has something to score, in percent."""
    scores: dict[str, list[float]] = {}
    for record in system.records:
        if record.unit == "domain":
            for name, above, below in zip(record.units, record.numerators, record.denominators, strict=True):
                if below:
                    scores.setdefault(name, []).append(percent(above / below))
    found = {name: mean_and_std(values) for name, values in scores.items()}
    return {name: (mean, std or 0.0) for name, (mean, std) in found.items()}


def _confusions(setting: Setting) -> list[Plot]:
    """For each system the confusions of its classes, summed over its records."""
    plots = []
    for system in setting.systems:
        known = [record.confusion for record in system.records if record.confusion is not None]
        if known and (drawn := HeatMap.of(known)).labels:
            name = plot_name(setting, f"confusion_{system.label}")
            title = f"Confusions of {system.label}: {setting.title}"
            # A page has many of these.
            plots.append(Plot(name, title, system.label, drawn.description, drawn.size, drawn.paint, is_placed=True))
    return plots


def _numbers(setting: Setting) -> dict[str, int]:
    return {system.label: system.number for system in setting.systems}
