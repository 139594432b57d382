"""An overview: the main measure of every system in several settings, side by side."""

from dataclasses import dataclass

from hf_fewshot.tables.pairs import Standing
from hf_fewshot.tables.table import OURS, Value


@dataclass(frozen=True)
class Line:
    """A system in all columns.

    Args:
        values: its main measure, one per column; None where it was not run.
        notes: what a reader must know to compare.
        standings: of each value: is it the best of ours, or not to be told apart from it? Empty where nobody asked.
    """

    kind: str
    system: str
    encoder: str
    values: tuple[Value | None, ...]
    notes: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()

    def standing(self, column: int) -> Standing:
        """That of a column."""
        return self.standings[column] if self.standings else ""


@dataclass(frozen=True)
class Overview:
    """A line per system, a column per setting.

    Args:
        title: what all settings have in common.
        measure: the main measure.
        columns: what the settings differ in, in words.
    """

    title: str
    measure: str
    columns: list[str]
    lines: list[Line]

    @property
    def encoder(self) -> str:
        """The encoder of all our systems; nothing where they differ."""
        different = {line.encoder for line in self.lines if line.kind == OURS}
        return different.pop() if len(different) == 1 else ""

    @property
    def has_spread(self) -> bool:
        """Whether any value has a standard deviation."""
        return any(value is not None and value.std is not None for line in self.lines for value in line.values)
