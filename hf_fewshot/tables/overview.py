"""An overview: the main measure of every system in several settings, side by side."""

from dataclasses import dataclass, field

from hf_fewshot.tables.table import OURS, TableLine, Value


@dataclass(frozen=True)
class Line:
    """A system in all columns.

    Args:
        values: its main measure, one per column; None where it was not run.
        notes: what a reader must know to compare.
    """

    kind: str
    system: str
    encoder: str
    values: tuple[Value | None, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overview:
    """A line per system, a column per setting.

    Args:
        title: what all settings have in common.
        measure: the main measure.
        columns: what the settings differ in, in words.
        footnotes: what the notes of lines are numbered by.
    """

    title: str
    measure: str
    columns: list[str]
    lines: list[Line]
    footnotes: list[str] = field(default_factory=list)

    def numbers(self, line: Line | TableLine) -> list[int]:
        """Of the footnotes of a line, from 1."""
        return sorted(1 + self.footnotes.index(note) for note in line.notes)

    @property
    def encoder(self) -> str:
        """The encoder of all our systems; nothing where they differ."""
        different = {line.encoder for line in self.lines if line.kind == OURS}
        return different.pop() if len(different) == 1 else ""

    @property
    def has_spread(self) -> bool:
        """Whether any value has a standard deviation."""
        return any(value is not None and value.std is not None for line in self.lines for value in line.values)
