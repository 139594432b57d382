"""A table as heads and rows of plain cells, for formats that others go on with: LaTeX and CSV."""

from collections.abc import Sequence
from dataclasses import dataclass

from hf_fewshot.tables.pairs import Standing
from hf_fewshot.tables.table import Value


@dataclass(frozen=True)
class Score:
    """A score in percent, and where it stands among ours."""

    value: Value
    standing: Standing = ""


@dataclass(frozen=True)
class Interval:
    """A confidence interval in percent; its ends are None where it says nothing, and the text says why."""

    text: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Probability:
    """A p-value."""

    value: float


Cell = Score | Interval | Probability | str | int | float | None


@dataclass(frozen=True)
class Grid:
    """A table.

    Args:
        title: what it shows, and of which setting.
        heads: of the columns.
        rows: cells, one per head.
        sections: of each row, a name; where it changes, LaTeX draws a rule.
        notes: numbers and texts that a column "Notes" refers to.
        legend: what else a reader must know.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    sections: Sequence[str] = ()
    notes: Sequence[tuple[int, str]] = ()
    legend: str = ""

    def column(self, place: int) -> list[Cell]:
        """All cells below a head."""
        return [row[place] for row in self.rows]

    def is_numeric(self, place: int) -> bool:
        """Whether a column has numbers and no words."""
        known = [cell for cell in self.column(place) if cell not in (None, "")]
        return bool(known) and not any(isinstance(cell, str) for cell in known)
