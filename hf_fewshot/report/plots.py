"""All plots of records: curves, errors, domains, confusions."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.report.bars import Bars
from hf_fewshot.report.curves import Curves
from hf_fewshot.report.heat_map import HeatMap
from hf_fewshot.report.theme import Plot
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics import mean_and_std
from hf_fewshot.tables.measures import ERRORS, measure_label, percent
from hf_fewshot.tables.settings import Setting, SystemRecords, settings
from hf_fewshot.tables.table import BASELINE, OURS, Table, table

# Options of the data that a curve can run over.
CURVES = {"shots": "shots", "nota_rate": "NOTA rate", "na_rate": "NOTA queries per query (na_rate)"}


def write_plots(records: Iterable[Record], folder: str | Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Writes the plots of the report as files, and returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tables = [table(setting) for setting in settings(records)]
    plots = curves(tables)
    for one in tables:
        plots += [*error_bars(one), *domain_bars(one.setting), *confusions(one.setting)]
    paths = []
    for plot in plots:
        for kind in formats:
            paths.append(folder / f"{plot.name}.{kind}")
            plot.save(paths[-1])
    return paths


def curves(tables: Sequence[Table]) -> list[Plot]:
    """Scores over shots and over NOTA rates, where settings differ in nothing else and have at least two values."""
    plots = []
    for option, label in CURVES.items():
        groups: dict[tuple[Any, ...], list[Table]] = {}
        for one in tables:
            setting = one.setting
            if setting.data.get(option) is not None:
                rest = sorted((name, str(value)) for name, value in setting.data.items() if name != option)
                same = (setting.name, setting.split, setting.measure, setting.is_official, *rest)
                groups.setdefault(same, []).append(one)
        for members in groups.values():
            if len({one.setting.data[option] for one in members}) > 1:
                plots.append(_curve(option, label, members))
    return plots


def _curve(option: str, label: str, tables: Sequence[Table]) -> Plot:
    first = tables[0].setting
    lines: dict[str, dict[float, tuple[float, float, float]]] = {}
    baselines: dict[str, dict[float, float]] = {}
    numbers: dict[str, int] = {}
    for one in tables:
        value, measure = float(one.setting.data[option]), one.setting.measure
        for system, line in one.ours:
            mean = line.values[measure].mean
            low, high = (mean if end is None else end for end in (line.low, line.high))
            lines.setdefault(line.system, {})[value] = (mean, low, high)
            numbers[line.system] = system.number
        for line in one.lines:
            if line.kind == BASELINE:
                baselines.setdefault(line.system, {})[value] = line.values[measure].mean
    measure = measure_label(first.measure)
    drawn = Curves(label, measure, lines, baselines, numbers)
    where = ", ".join([first.name, *first.details(without=[option])])
    name = _file_name(first, f"{option}_curve", without=option)
    title = f"{measure} by {label}: {where}"
    return Plot(name, title, title, drawn.description, (7.2, 4.2), drawn.paint)


def error_bars(one: Table) -> list[Plot]:
    """The kinds of errors of our systems, side by side."""
    ours = [line for line in one.errors if line.kind == OURS]
    if not ours:
        return []
    names = [name for name in ERRORS if any(name in line.values for line in ours)]
    series = {
        line.system: [(v.mean, v.std or 0.0) if (v := line.values.get(name)) else None for name in names]
        for line in ours
    }
    drawn = Bars("share", [ERRORS[name] for name in names], series, _numbers(one.setting))
    caption = "Kinds of errors of our systems"
    title = f"{caption}: {one.setting.title}"
    return [Plot(_file_name(one.setting, "errors"), title, caption, drawn.description, drawn.size, drawn.paint)]


def domain_bars(setting: Setting) -> list[Plot]:
    """The main measure in each domain."""
    series = {system.label: found for system in setting.systems if (found := _domains(system))}
    if not series:
        return []
    domains = list(dict.fromkeys(domain for scores in series.values() for domain in scores))
    values = {label: [scores.get(domain) for domain in domains] for label, scores in series.items()}
    measure = measure_label(setting.measure)
    drawn = Bars(measure, domains, values, _numbers(setting))
    caption = f"{measure} by domain"
    title = f"{caption}: {setting.title}"
    return [Plot(_file_name(setting, "domains"), title, caption, drawn.description, drawn.size, drawn.paint)]


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


def confusions(setting: Setting) -> list[Plot]:
    """For each system the confusions of its classes, summed over its records."""
    plots = []
    for system in setting.systems:
        known = [record.confusion for record in system.records if record.confusion is not None]
        if known and (drawn := HeatMap.of(known)).labels:
            name = _file_name(setting, f"confusion_{system.label}")
            title = f"Confusions of {system.label}: {setting.title}"
            plots.append(Plot(name, title, system.label, drawn.description, drawn.size, drawn.paint))
    return plots


def _numbers(setting: Setting) -> dict[str, int]:
    return {system.label: system.number for system in setting.systems}


def _file_name(setting: Setting, kind: str, without: str = "") -> str:
    """A readable name with a short hash, so that no two plots have the same."""
    parts = [setting.name, *setting.details(without=[without]), setting.measure, kind]
    readable = re.sub(r"[^\w=.+-]+", "-", "_".join(parts))[:120].strip("-")
    readable = readable.encode()[:200].decode(errors="ignore")  # file systems count bytes
    return f"{readable}_{hashlib.sha256(repr(parts).encode()).hexdigest()[:6]}"
