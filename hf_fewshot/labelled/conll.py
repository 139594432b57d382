"""Labelled sentences in files with a word and its tag per line, as CoNLL has them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hf_fewshot.files.raw_files import read_text, shown
from hf_fewshot.labelled.given import Given, LabelledError
from hf_fewshot.registry import suggestion

DOCUMENT = "-DOCSTART-"
COMMENT = "#"


class Line(NamedTuple):
    """A line that is not blank: its number, its text, its cells, and whether it begins a sentence."""

    number: int
    text: str
    cells: list[str]
    begins: bool


def read_conll(path: Path, tag_column: str, columns: Mapping[str, str]) -> Given:
    """The sentences of a file; blank lines part them, tabs or spaces the columns.

    Lines of `-DOCSTART-` are left out, and so are comments as CoNLL-U has them: lines that begin with #, before a
    sentence, with another number of columns than the rest of the file has.

    Args:
        tag_column: what the task calls tags.
        columns: which column the words (`tokens`) and the tags are, from 1; default: the first and the last.
    """
    lines = list(_lines(path))
    width = _width(path, lines)
    token, tag = _places(path, columns, tag_column, width)
    known = {line.cells[tag] for line in lines if len(line.cells) == width and not line.text.startswith(COMMENT)}
    rows: list[dict[str, list[str]]] = []
    places: list[str] = []
    open_sentence = False
    for line in lines:
        place = f"{path}, line {line.number}"
        open_sentence = open_sentence and not line.begins
        if _is_comment(place, line, width, tag, known, open_sentence):
            continue
        if len(line.cells) != width:
            expected = f"{width} columns as in the lines before"
            remedy = "Give every word all columns, and part sentences by blank lines."
            raise LabelledError(place, expected, f"{len(line.cells)}: {shown(line.text)}", remedy)
        if not line.cells[token].strip() or not line.cells[tag].strip():
            raise LabelledError(place, "a word and its tag", shown(line.text), "Write both, or leave the line out.")
        if not open_sentence:
            rows.append({"tokens": [], tag_column: []})
            places.append(place)
            open_sentence = True
        rows[-1]["tokens"].append(line.cells[token])
        rows[-1][tag_column].append(line.cells[tag].strip())
    return Given(str(path), rows, places, ("tokens", tag_column))


def _lines(path: Path) -> Iterator[Line]:
    begins = True
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        text = text.rstrip("\r")
        if not text.strip(" \t") or text.startswith(DOCUMENT):
            begins = True
            continue
        # Words may hold other white space, such as a no-break space.
        cells = text.split("\t") if "\t" in text else [cell for cell in re.split(" +", text) if cell]
        yield Line(number, text, cells, begins)
        begins = False


def _width(path: Path, lines: list[Line]) -> int:
    """How many columns the file has."""
    first = next((line for line in lines if not line.text.startswith(COMMENT)), None)
    first = first or next(iter(lines), None)
    if first is None or len(first.cells) < 2:
        place = str(path) if first is None else f"{path}, line {first.number}"
        got = "no line with words" if first is None else shown(first.text)
        remedy = "Write one word per line with its tag behind it, and a blank line between sentences."
        raise LabelledError(place, "a word and, after a tab or space, its tag", got, remedy)
    return len(first.cells)


def _places(path: Path, columns: Mapping[str, str], tag_column: str, width: int) -> tuple[int, int]:
    """Which of the columns are words and tags, from 0."""
    names = {"tokens": "tokens", "text": "tokens", tag_column: tag_column}
    chosen = {"tokens": 1, tag_column: width}
    for name, number in columns.items():
        if name not in names:
            raise ValueError(f"{name!r} is no column of a file with a word per line. {suggestion(name, names)}")
        if not str(number).isascii() or not str(number).isdigit() or not 1 <= int(number) <= width:
            expected = f"the number of the column for {name}, from 1 to {width}"
            raise LabelledError(str(path), expected, repr(number), "Count the columns of the file from 1.")
        chosen[names[name]] = int(number)
    return chosen["tokens"] - 1, chosen[tag_column] - 1


def _is_comment(place: str, line: Line, width: int, tag: int, known: set[str], open_sentence: bool) -> bool:
    """Whether a line is no word; one that could be either is an error."""
    if not line.text.startswith(COMMENT) or open_sentence:
        return False
    if len(line.cells) != width:
        return True
    if line.cells[tag].strip() in known or not line.text.startswith(f"{COMMENT} "):
        return False
    remedy = f"Delete the comment, or part the columns of all words by tabs if {COMMENT} is a word."
    raise LabelledError(place, "a word with a tag that other lines have, or a comment", shown(line.text), remedy)
