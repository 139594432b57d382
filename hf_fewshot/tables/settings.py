"""Settings: what results can be compared within, and the systems that were run in each."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.entries import SEEDS
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.runs.folder import cells
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics import MedianModel, Summary, median_of, summary
from hf_fewshot.statistics.record_units import draw_of, repeats_of
from hf_fewshot.tables.data_names import data_names
from hf_fewshot.tables.distinct import distinct
from hf_fewshot.tables.plain import one_line
from hf_fewshot.tables.shown_record import shown_record
from hf_fewshot.tables.system_names import system_labels

# Options that have words of their own.
_BY_NAME = ("n_way", "shots", "sample")


@dataclass(frozen=True)
class SystemRecords:
    """The records of one system in one setting, which differ in seeds and draws.

    Args:
        label: its name in tables and plots.
        number: of its colour and marker, the same in all plots of a benchmark.
    """

    label: str
    number: int
    records: tuple[Record, ...]

    @property
    def model(self) -> str:
        """The encoder or language model."""
        return one_line(self.records[0].run.model or "")

    @cached_property
    def counted(self) -> tuple[Record, ...]:
        """The records that count as runs: of repeats that cannot differ, one."""
        return distinct(self.records)

    @cached_property
    def summary(self) -> Summary:
        """The main measure over all runs that count."""
        return summary(self.counted)

    @property
    def n_models(self) -> int:
        """How many were trained, one per seed; people are no models."""
        is_trained = repeats_of(self.records[0]) == SEEDS
        return len({record.run.seed for record in self.records}) if is_trained else 1

    @cached_property
    def median(self) -> MedianModel:
        """The model with the median score; ValueError where the records do not say which one that is."""
        return median_of(self.records)


@dataclass(frozen=True)
class Setting:
    """Systems that were scored by the same measure on the same data.

    Args:
        key: `Run.setting`.
        measure: the main measure of all records in it.
        is_official: whether all records are on the benchmark's own data; none of them is otherwise.
        data: options of the data without the draws.
    """

    key: tuple[str, str, str]
    measure: str
    is_official: bool
    data: dict[str, Any]
    systems: tuple[SystemRecords, ...]

    @property
    def name(self) -> str:
        """Benchmark and configuration."""
        return one_line(self.key[0])

    @property
    def benchmark(self) -> str:
        """The benchmark."""
        return self.systems[0].records[0].run.benchmark

    @property
    def split(self) -> str:
        """The split whose queries were predicted."""
        return one_line(self.key[1])

    @property
    def is_sample(self) -> bool:
        """Whether it is sample data of our own, to which published numbers do not apply."""
        return bool(self.data.get("sample"))

    @property
    def is_other(self) -> bool:
        """Whether it is other data in the format of a benchmark, to which published numbers do not apply either."""
        return self.benchmark in BENCHMARKS and not (self.is_official or self.is_sample or self.is_own)

    @property
    def is_own(self) -> bool:
        """Whether it is data of whoever ran it, which is no benchmark of others."""
        return self.benchmark in BENCHMARKS and builder_of(self.benchmark).OWN_DATA

    @cached_property
    def whose(self) -> str:
        """Whose data it is, where it is not the benchmark's own, such as "other data: Few_TK"."""
        if self.is_sample:
            return "sample data"
        return ": ".join(filter(None, ["other data", " / ".join(data_names(self.records))])) if self.is_other else ""

    @property
    def records(self) -> list[Record]:
        """All records."""
        return [record for system in self.systems for record in system.records]

    @property
    def title(self) -> str:
        """The setting in words, such as "few_nerd/inter, 5-way 1-shot, test, n_episodes=500"."""
        return ", ".join([self.name, *self.details()])

    @property
    def units(self) -> str:
        """What the units are: "episodes", "domains" or "questions"."""
        return f"{self.systems[0].records[0].unit}s"

    def over(self, sources: Iterable[str]) -> tuple[str, ...]:
        """What an interval accounts for, with the units called by their name: "episodes", "seeds", "draws"."""
        return tuple(self.units if source == "units" else source for source in sources)

    def details(self, without: Sequence[str] = ()) -> list[str]:
        """Its options in words, some of them left out."""
        shots, others = _in_words({name: value for name, value in self.data.items() if name not in without})
        parts = [shots, self.split, *others, self.whose]
        return [part for part in parts if part]

    @property
    def reports_median_model(self) -> bool:
        """Whether papers report the median one of several models in this setting, not the mean over all runs."""
        return self.benchmark in BENCHMARKS and builder_of(self.benchmark).reports_median_model(self.data)

    def reported(self, system: SystemRecords) -> SystemRecords:
        """The system with the records that a table reports: all, or those of its median model."""
        if self.reports_median_model and system.n_models > 1:
            with suppress(ValueError):  # models that cannot be ranked
                return replace(system, records=system.median.records)
        return system

    @property
    def axes(self) -> tuple[str, ...]:
        """The options that tables of the benchmark have columns for."""
        # Records of strangers may be of any benchmark.
        return (builder_of(self.benchmark) if self.benchmark in BENCHMARKS else FewShotBuilder).AXES

    @property
    def column(self) -> str:
        """What it has of these options, such as "5-way 1-shot"."""
        shots, others = _in_words({name: value for name, value in self.data.items() if name in self.axes})
        return ", ".join(filter(None, [shots, *others]))


def _in_words(data: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Ways and shots, and the other options that are given."""
    # A mapping says what a file calls its columns, which is no part of what was measured.
    said = {name: value for name, value in data.items() if value is not None and not isinstance(value, Mapping)}
    given = {one_line(name): one_line(value) for name, value in said.items()}
    shots = [f"{given[name]}-{word}" for name, word in (("n_way", "way"), ("shots", "shot")) if name in given]
    return " ".join(shots), [f"{name}={given[name]}" for name in sorted(given) if name not in _BY_NAME]


def settings(records: Iterable[Record]) -> list[Setting]:
    """The settings of records, by benchmark and then by options; systems in the order of the records.

    The benchmark's own data and other data in its format are never one setting. Records are as they may be shown.
    """
    benchmarks: dict[str, list[Record]] = {}
    for record in map(shown_record, records):
        benchmarks.setdefault(record.run.benchmark, []).append(record)
    return sorted((one for members in benchmarks.values() for one in _settings(members)), key=_order)


def _settings(records: list[Record]) -> list[Setting]:
    """The settings of one benchmark."""
    named = system_labels(record.run for record in records)
    labels = {record.cell: _marked(named[record.run.cell], record.owner) for record in records}
    order = list(dict.fromkeys(labels.values()))
    groups: dict[tuple[Any, ...], list[SystemRecords]] = {}
    for cell in cells(records):
        label = labels[cell[0].cell]
        for kind in dict.fromkeys(map(_kind, cell)):
            same = [record for record in cell if _kind(record) == kind]
            for number, repeats in enumerate(_repeats(same), start=1):
                name = label if number == 1 else f"{label} (episodes {number})"
                system = SystemRecords(name, order.index(label), tuple(repeats))
                groups.setdefault((cell[0].run.setting, *kind), []).append(system)
    found = []
    for (key, measure, is_official), systems in groups.items():
        options = systems[0].records[0].run.data
        data = {name: value for name, value in options.items() if name not in DRAWS}
        found.append(Setting(key, measure, is_official, data, tuple(systems)))
    return found


def _marked(label: str, owner: str) -> str:
    """The name of a system with whose records they are, where they are somebody else's."""
    return f"{label} [{owner}]" if owner else label


def _kind(record: Record) -> tuple[str, bool]:
    """What records of one cell must agree in to stand together: the measure, and whose data it is."""
    return record.measure, record.episodes["official"]


def _repeats(records: Sequence[Record]) -> list[list[Record]]:
    """The records of a cell, parted where one draw has other episodes: its data changed, or a record lies."""
    parted: list[tuple[dict[Any, str], dict[Any, Record]]] = []
    for record in records:
        draw, fingerprint = draw_of(record), record.episodes["fingerprint"]
        key = (record.run.seed, *draw)
        fitting = [one for one in parted if key not in one[1] and one[0].get(draw, fingerprint) == fingerprint]
        if not fitting:
            fitting = [({}, {})]
            parted += fitting
        fitting[0][0][draw], fitting[0][1][key] = fingerprint, record
    return [list(repeats.values()) for _, repeats in parted]


def _order(setting: Setting) -> tuple[Any, ...]:
    values = [setting.data.get(name) for name in setting.axes]
    # Those of strangers may be anything.
    numbers = [float(value) if isinstance(value, int | float) else 0.0 for value in values]
    options = (*numbers, setting.key[2], setting.measure, not setting.is_official)
    return setting.benchmark, setting.name, setting.split, *options
