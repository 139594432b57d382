"""Sentences with marks, as people write them: `She moved to [Paris](city)`; a backslash makes a sign a plain one."""

from collections.abc import Sequence
from typing import NamedTuple

# Signs that a backslash makes plain.
SIGNS = "[]()#\\"


class Mark(NamedTuple):
    """A stretch of a text (first character, the one after its last) and what it is marked as."""

    start: int
    end: int
    name: str


class MarkedText(NamedTuple):
    """A text without its marks, and the marks."""

    text: str
    marks: tuple[Mark, ...] = ()


def read_marked(line: str) -> MarkedText:
    """A sentence as it was written; a bracket that begins no mark is an error."""
    text: list[str] = []
    marks: list[Mark] = []
    position = 0
    while position < len(line):
        if line[position] != "[":
            sign, position = _sign(line, position)
            text.append(sign)
            continue
        words, after = _until("]", line, position + 1)
        if after is None or line[after : after + 1] != "(":
            raise ValueError(_incomplete(line[position:]))
        name, end = _until(")", line, after + 1)
        if end is None or not name.strip() or not words.strip():
            raise ValueError(_incomplete(line[position:]))
        start = len(text)
        text += words
        marks.append(Mark(start, len(text), name.strip()))
        position = end
    return MarkedText("".join(text), tuple(marks))


def plain_text(line: str) -> str:
    """A sentence that is asked: its marks, if it is written with any, are left out; other brackets are its own."""
    try:
        found = read_marked(line)
    except ValueError:
        return line
    return found.text if found.marks else line


def write_marked(text: str, marks: Sequence[Mark]) -> str:
    """The sentence as it is read again; marks that overlap cannot be written."""
    parts: list[str] = []
    place = 0
    for start, end, name in sorted(marks):
        if start < place:
            raise ValueError(f"The marks of {text!r} overlap, and one within another cannot be written.")
        parts += [_escaped(text[place:start]), f"[{_escaped(text[start:end])}]({_escaped(name)})"]
        place = end
    return "".join([*parts, _escaped(text[place:])])


def _sign(line: str, position: int) -> tuple[str, int]:
    """The sign at a position, and where the next one is."""
    if line[position] == "\\" and line[position + 1 : position + 2] in tuple(SIGNS):
        return line[position + 1], position + 2
    return line[position], position + 1


def _until(closing: str, line: str, position: int) -> tuple[str, int | None]:
    """What stands before the closing sign, and the place behind it; None if it is not closed, or opened again."""
    found: list[str] = []
    while position < len(line):
        if line[position] == closing:
            return "".join(found), position + 1
        if line[position] == "[":
            break
        sign, position = _sign(line, position)
        found.append(sign)
    return "".join(found), None


def _incomplete(rest: str) -> str:
    shown = rest if len(rest) <= 40 else f"{rest[:40]}..."
    return f"expected words and their name as in [Paris](city), got {shown}. Complete it, or write \\[ for a bracket."


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "[]()\\" else sign for sign in text)
