"""Labelled rows in CSV and TSV files with a header."""

import csv
import io
from pathlib import Path

from hf_fewshot.files.raw_files import read_text, shown
from hf_fewshot.labelled.given import Given, LabelledError

DELIMITERS = {".csv": ",", ".tsv": "\t"}


def read_delimited(path: Path) -> Given:
    """The rows of a file; its first line has the names of the columns.

    A CSV file whose header has semicolons and no comma is parted by them, as spreadsheets of many countries write it.
    """
    text = read_text(path)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = DELIMITERS[path.suffix.lower()]
    if delimiter == "," and ";" in first and "," not in first:
        delimiter = ";"
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    rows, places, last = [], [], 0
    try:
        for cells in lines:
            place, last = f"{path}, line {last + 1}", lines.line_num
            if not header:
                header = _header(place, cells) if cells else []
            elif len(cells) == len(header):
                rows.append(dict(zip(header, cells, strict=True)))
                places.append(place)
            elif cells:
                expected = f"{len(header)} cells as in the header ({', '.join(header)})"
                remedy = "Put cells that hold the delimiter or a line break in double quotes."
                raise LabelledError(place, expected, f"{len(cells)}: {shown(cells)}", remedy)
    except csv.Error as error:
        remedy = "Double the double quotes within a cell that is quoted, and close each."
        raise LabelledError(f"{path}, line {lines.line_num}", "cells of a CSV file", str(error), remedy) from error
    return Given(str(path), rows, places, tuple(header), is_text=True)


def _header(place: str, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "" in names or len(set(names)) < len(names):
        remedy = "Write the names of the columns into the first line."
        raise LabelledError(place, "a header with a different name for each column", shown(names), remedy)
    return names
