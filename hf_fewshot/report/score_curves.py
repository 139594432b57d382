"""Scores over shots and over NOTA rates, as curves with equal axes."""

from collections.abc import Mapping, Sequence
from typing import Any

from hf_fewshot.report.curves import Curves
from hf_fewshot.report.file_names import plot_name
from hf_fewshot.report.theme import Plot
from hf_fewshot.tables.measures import measure_label
from hf_fewshot.tables.table import BASELINE, PUBLISHED, Table

# Options of the data that a curve can run over.
CURVES = {"shots": "shots", "nota_rate": "NOTA rate", "na_rate": "NOTA queries per query (na_rate)"}
# More published systems than these make a curve that nobody can read.
N_PUBLISHED = 5


def curves(tables: Sequence[Table]) -> list[Plot]:
    """Where settings differ in nothing but an option, with two values at least; equal axes for each option."""
    plots = []
    for option, label in CURVES.items():
        groups: dict[tuple[Any, ...], list[Table]] = {}
        for one in tables:
            setting = one.setting
            if setting.data.get(option) is not None:
                rest = sorted((name, str(value)) for name, value in setting.data.items() if name != option)
                same = (setting.name, setting.split, setting.measure, setting.is_official, *rest)
                groups.setdefault(same, []).append(one)
        several = [own for own in groups.values() if len({one.setting.data[option] for one in own}) > 1]
        drawn = [(own, _curves(option, label, own)) for own in several]
        tops: dict[tuple[str, str], float] = {}
        for own, curve in drawn:
            key = own[0].setting.benchmark, curve.measure
            tops[key] = max(tops.get(key, 0.0), curve.highest)
        plots += [_plot(option, label, own, curve, tops) for own, curve in drawn]
    return plots


def _curves(option: str, label: str, tables: Sequence[Table]) -> Curves:
    lines: dict[str, dict[float, tuple[float, float, float]]] = {}
    baselines: dict[str, dict[float, float]] = {}
    published: dict[str, dict[float, float]] = {}
    numbers: dict[str, int] = {}
    for one in tables:
        value, measure = float(one.setting.data[option]), one.setting.measure
        for system, line in one.ours:
            mean = line.values[measure].mean
            low, high = (mean if end is None else end for end in (line.low, line.high))
            lines.setdefault(line.system, {})[value] = (mean, low, high)
            numbers[line.system] = system.number
        for line in one.lines:
            if measure in line.values and line.kind in (BASELINE, PUBLISHED):
                of_kind = baselines if line.kind == BASELINE else published
                # A system that several sources give has the first number, as in the table.
                of_kind.setdefault(line.system, {}).setdefault(value, line.values[measure].mean)
    shown = _best(published)
    return Curves(label, measure_label(measure), lines, baselines, numbers, shown, len(published) - len(shown))


def _best(published: Mapping[str, Mapping[float, float]]) -> dict[str, Mapping[float, float]]:
    """The published systems with the highest means, in the order of the table."""
    means = {name: sum(scores.values()) / len(scores) for name, scores in published.items()}
    kept = sorted(means, key=lambda name: -means[name])[:N_PUBLISHED]
    return {name: scores for name, scores in published.items() if name in kept}


def _plot(option: str, label: str, tables: Sequence[Table], curve: Curves, tops: Mapping[Any, float]) -> Plot:
    first = tables[0].setting
    where = ", ".join([first.name, *first.details(without=[option])])
    title = f"{curve.measure} by {label}: {where}"
    drawn = curve.up_to(tops[first.benchmark, curve.measure])
    name = plot_name(first, f"{option}_curve", without=option)
    return Plot(name, title, title + drawn.left_out, drawn.description, drawn.size, drawn.paint)
