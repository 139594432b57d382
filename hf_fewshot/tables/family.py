"""Families: settings that differ in ways, shots and NOTA rates only, which are the columns of one table."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hf_fewshot.tables.overview import Line, Overview
from hf_fewshot.tables.table import Table, TableLine


@dataclass(frozen=True)
class Family:
    """The tables of settings with the same main measure, in the order of their ways and shots."""

    tables: tuple[Table, ...]

    @property
    def benchmark(self) -> str:
        """The benchmark."""
        return self.tables[0].setting.benchmark

    @property
    def details(self) -> list[str]:
        """The options that all settings have in common, in words."""
        setting = self.tables[0].setting
        return setting.details(without=setting.axes)

    @property
    def title(self) -> str:
        """Benchmark, configuration and the options that all settings have in common."""
        return ", ".join([self.tables[0].setting.name, *self.details])

    @cached_property
    def overview(self) -> Overview:
        """Every system once, in the order of the tables: ours, then trivial baselines, then published ones."""
        setting = self.tables[0].setting
        systems: dict[tuple[Any, ...], dict[int, TableLine]] = {}
        for number, table in enumerate(self.tables):
            for line in table.lines:
                if setting.measure in line.values:
                    systems.setdefault((line.kind, line.system, line.encoder, line.origin), {})[number] = line
        kinds = list(dict.fromkeys(kind for kind, *_ in systems))
        lines = []
        for (kind, system, encoder, _), own in sorted(systems.items(), key=lambda item: kinds.index(item[0][0])):
            found = [own.get(number) for number in range(len(self.tables))]
            values = tuple(None if line is None else line.values[setting.measure] for line in found)
            notes = tuple(dict.fromkeys(note for line in own.values() for note in line.notes))
            standings = tuple(
                "" if line is None else one.standing(line) for one, line in zip(self.tables, found, strict=True)
            )
            lines.append(Line(kind, system, encoder, values, notes, standings))
        return Overview(
            title=self.title,
            measure=setting.measure,
            columns=[table.setting.column for table in self.tables],
            lines=lines,
        )


def families(tables: Iterable[Table]) -> list[Family]:
    """Tables of settings that differ in their columns only, together."""
    together: dict[tuple[Any, ...], list[Table]] = {}
    for table in tables:
        setting = table.setting
        together.setdefault((setting.name, *setting.details(without=setting.axes), setting.measure), []).append(table)
    return [Family(tuple(members)) for members in together.values()]
