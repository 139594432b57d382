"""Footnotes: each is said once, and lines refer to it by its number."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hf_fewshot.tables.overview import Line, Overview
from hf_fewshot.tables.table import Table, TableLine


@dataclass(frozen=True)
class Footnotes:
    """The notes of all lines of some tables, in the order in which they are first referred to."""

    notes: tuple[str, ...]

    @classmethod
    def of(cls, *lines: Iterable[Line | TableLine]) -> "Footnotes":
        """The notes of lines, each of them once."""
        return cls(tuple(dict.fromkeys(note for some in lines for line in some for note in line.notes)))

    @classmethod
    def of_tables(cls, overviews: Iterable[Overview], tables: Iterable[Table]) -> "Footnotes":
        """Those of overviews and of the tables below them."""
        return cls.of(
            *(one.lines for one in overviews), *(lines for one in tables for lines in (one.lines, one.errors))
        )

    def numbers(self, line: Line | TableLine) -> list[int]:
        """Of the notes of a line, from 1."""
        return sorted(1 + self.notes.index(note) for note in line.notes)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(enumerate(self.notes, start=1))

    def __bool__(self) -> bool:
        return bool(self.notes)
