"""Labelled examples as people write them: a line for each, below the name of its class, with its entities marked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hf_fewshot.demo.limits import CLASSES, EXAMPLES, EXAMPLES_TEXT, SENTENCE, require_few, require_length
from hf_fewshot.demo.marked_text import Mark, MarkedText, read_marked, write_marked
from hf_fewshot.demo.shape import Shape, shape_of
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.reading import read_labelled
from hf_fewshot.learning.nearest import text_of
from hf_fewshot.tasks.tags import joiner, tag_spans
from hf_fewshot.tasks.task import Task

Row = Mapping[str, Any]
HEADING = "#"
# A line of text that begins like a heading has a backslash before it, and one that begins with that has another.
_PLAIN = re.compile(r"^\\(?=\\*#)")
_LIKE_HEADING = re.compile(r"\\*#")


class Sheet(NamedTuple):
    """What is written: rows of the task, and classes without an example so far."""

    rows: list[dict[str, Any]]
    empty: tuple[str, ...]


class Line(NamedTuple):
    """An example: its number among all lines, its class, its text with marks."""

    number: int
    label: str
    content: MarkedText


def read_sheet(text: str, task: Task) -> Sheet:
    """The examples in a text; whatever cannot be read is an error that says where."""
    require_length(text, EXAMPLES_TEXT, "The text of the examples")
    shape = shape_of(task)
    headings: dict[str, int] = {}
    lines = list(_lines(text, shape, headings))
    require_few(len(lines), EXAMPLES, "examples")
    require_few(len(headings), CLASSES, "classes")
    empty = tuple(name for name in headings if not any(line.label == name for line in lines))
    if not lines:
        return Sheet([], empty)
    try:
        rows = read_labelled([_labelled(line, shape) for line in lines], task.name)
    except LabelledError as error:
        place, *said = error.details
        number = re.fullmatch(r"row (\d+)", place)
        raise LabelledError(f"Line {lines[int(number[1])].number}" if number else place, *said) from error
    if shape.label is None and not any(line.content.marks for line in lines):
        raise ValueError("Nothing is marked yet. Mark words in the sentences, as in: She moved to [Paris](city).")
    return Sheet(rows, empty)


def _lines(text: str, shape: Shape, headings: dict[str, int]) -> Iterator[Line]:
    label = ""
    for number, written in enumerate(text.splitlines(), start=1):
        line = written.strip()
        if not line:
            continue
        if line.startswith(HEADING):
            if shape.label is None:
                raise ValueError(
                    f"Line {number}: the words are marked here, so there is no class above the sentences."
                )
            label = line.removeprefix(HEADING).strip()
            if not label:
                raise ValueError(f"Line {number}: expected the name of a class behind {HEADING}. Write it.")
            headings.setdefault(label, number)
            continue
        if shape.label is not None and not label:
            raise ValueError(f"Line {number}: expected the name of a class first, as in: {HEADING} {shape.label.name}")
        try:
            require_length(line, SENTENCE, "The sentence")
            content = read_content(line, shape)
        except ValueError as error:
            raise ValueError(f"Line {number}: {error}") from error
        yield Line(number, label, content)


def read_content(line: str, shape: Shape) -> MarkedText:
    """A sentence as it was written; where marks mean something, with them, and each side must be there once."""
    content = read_marked(line) if shape.has_marks else MarkedText(_PLAIN.sub("", line))
    if shape.sides:
        found = sorted(mark.name for mark in content.marks)
        if found != sorted(shape.sides):
            example = write_marked("Anna lives in Rome", [Mark(0, 4, shape.sides[0]), Mark(14, 18, shape.sides[1])])
            raise ValueError(
                f"expected one {' and one '.join(shape.sides)}, as in {example}, got {', '.join(found) or 'no mark'}."
            )
    return content


def _labelled(line: Line, shape: Shape) -> dict[str, Any]:
    """A row with character offsets."""
    content = line.content
    row: dict[str, Any] = {"text": content.text}
    if shape.label is not None:
        row[shape.label.name] = line.label
    if shape.tags is not None:
        row[shape.entities] = [{"start": start, "end": end, "type": name} for start, end, name in content.marks]
    if shape.sides:
        row |= placed_sides(content)
    return row


def placed_sides(content: MarkedText) -> dict[str, dict[str, int]]:
    """Entities that have to be there, by character offsets."""
    return {name: {"start": start, "end": end} for start, end, name in content.marks}


def write_sheet(rows: Sequence[Row], task: Task) -> str:
    """The text in which examples are read again; classes stand in the order in which they first come."""
    shape = shape_of(task)
    if shape.label is None:
        return "".join(f"{write_line(row, shape)}\n" for row in rows)
    below: dict[str, list[str]] = {}
    for row in rows:
        below.setdefault(_one_line(row[shape.label.name]), []).append(write_line(row, shape))
    parts = ["".join([f"{HEADING} {name}\n", *(f"{one}\n" for one in own)]) for name, own in below.items()]
    return "\n".join(parts)


def write_line(row: Row, shape: Shape) -> str:
    """An example without its class, in one line."""
    if "tokens" not in row:
        text = _one_line(text_of(row))
        return f"\\{text}" if not shape.has_marks and _LIKE_HEADING.match(text) else text
    text, marks = _characters([_one_line(word) for word in row["tokens"]], _spans(row, shape))
    line = write_marked(text, marks)
    return f"\\{line}" if line.startswith(HEADING) else line


def _spans(row: Row, shape: Shape) -> list[tuple[int, int, str]]:
    """Marked stretches of words."""
    spans = [] if shape.tags is None else [*tag_spans(row[shape.tags.name])]
    for name in shape.sides:
        first = row[name]["mentions"][0]
        spans.append((first["start"], first["end"], name))
    return spans


def _characters(words: Sequence[str], spans: Sequence[tuple[int, int, str]]) -> tuple[str, list[Mark]]:
    """Words as a text, and stretches of words as marks in it."""
    space = joiner(words)
    starts, place = [], 0
    for word in words:
        starts.append(place)
        place += len(word) + len(space)
    marks = [Mark(starts[first], starts[end - 1] + len(words[end - 1]), _one_line(name)) for first, end, name in spans]
    return space.join(words), marks


def _one_line(text: str) -> str:
    return " ".join(text.split())
