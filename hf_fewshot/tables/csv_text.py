"""Grids as CSV: numbers with all their digits, a deviation, ends and standing in columns of their own."""

import csv
import io
from collections.abc import Callable
from typing import Any

from hf_fewshot.tables.grid import Cell, Grid, Interval, Probability, Score

# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(grid: Grid) -> str:
    """A head line and a line per row; notes are texts in the last column, not numbers."""
    columns: list[tuple[str, Callable[[Cell], Any], int]] = []
    for place, head in enumerate(grid.heads):
        columns += [(name, value, place) for name, value in _parts(head, grid.column(place))]
    notes = dict(grid.notes)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([_plain(name) for name, _, _ in columns])
    for row in grid.rows:
        cells = [value(row[place]) for _, value, place in columns]
        if notes and grid.heads[-1] == "Notes":
            numbers = [int(number) for number in str(row[-1] or "").split(", ") if number]
            cells[-1] = "; ".join(notes[number] for number in numbers)
        writer.writerow([_plain(cell) for cell in cells])
    return buffer.getvalue()


def _parts(head: str, cells: list[Cell]) -> list[tuple[str, Callable[[Cell], Any]]]:
    """The columns that one column of a grid becomes."""
    scores = [cell for cell in cells if isinstance(cell, Score)]
    if scores:
        parts: list[tuple[str, Callable[[Cell], Any]]] = [(head, _of(Score, lambda cell: cell.value.mean))]
        if any(cell.value.std is not None for cell in scores):
            parts.append((f"{head}, standard deviation", _of(Score, lambda cell: cell.value.std)))
        if any(cell.standing for cell in scores):
            parts.append((f"{head}, standing", _of(Score, lambda cell: cell.standing)))
        return parts
    if any(isinstance(cell, Interval) for cell in cells):
        return [
            (f"{head}, low", _of(Interval, lambda cell: cell.low)),
            (f"{head}, high", _of(Interval, lambda cell: cell.high)),
            (f"{head}, remark", _of(Interval, lambda cell: "" if cell.low is not None else cell.text)),
        ]
    if any(isinstance(cell, Probability) for cell in cells):
        return [(head, _of(Probability, lambda cell: cell.value))]
    return [(head, lambda cell: cell)]


def _of(kind: type, value: Callable[[Any], Any]) -> Callable[[Cell], Any]:
    return lambda cell: value(cell) if isinstance(cell, kind) else None


def _plain(cell: Any) -> Any:
    """Numbers without the last digits of their rounding; texts that a spreadsheet takes for texts."""
    if isinstance(cell, float):
        return round(cell, 10)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
