"""Entities by character offsets, as words of their text."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from hf_fewshot.files.raw_files import shown
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.words import split_words
from hf_fewshot.tasks.tags import Span

IN_TEXT = "Count characters of the text from 0; end is behind the last one."


class Range(NamedTuple):
    """A stretch of a text: its first character, and the one after its last."""

    start: int
    end: int


def words_and_entities(text: str, entities: Any, place: str) -> tuple[list[str], list[Span]]:
    """The words of a text, and its entities `{"start", "end", "type"}` as spans of words."""
    if not isinstance(entities, Sequence) or isinstance(entities, str):
        expected = 'entities as a list of {"start", "end", "type"}'
        raise LabelledError(place, expected, shown(entities), "Write [] where there are none.")
    ranges = [range_in(text, one, "an entity", place) for one in entities]
    order = sorted(range(len(ranges)), key=lambda number: ranges[number])
    for one, other in pairwise(order):
        if ranges[other].start < ranges[one].end:
            got = f"{_quoted(text, ranges[one])} and {_quoted(text, ranges[other])}, which overlap"
            raise LabelledError(place, "entities without overlap", got, "Leave one of them out: a word has one tag.")
    words = split_at(text, ranges)
    spans = []
    for number in order:
        kind = entities[number].get("type")
        if not isinstance(kind, str) or not kind.strip():
            raise LabelledError(place, "an entity with a type", shown(entities[number]), "Name its type.")
        spans.append((*word_range(words, ranges[number]), kind))
    return [text[start:end] for start, end in words], spans


def range_in(text: str, item: Any, what: str, place: str) -> Range:
    """The range that an entity says, which holds a word of the text; what it is said to be, it must be."""
    start, end = (item.get("start"), item.get("end")) if isinstance(item, Mapping) else (None, None)
    if type(start) is not int or type(end) is not int:
        raise LabelledError(place, f'{what} as {{"start", "end", ...}}, whole numbers', shown(item), IN_TEXT)
    if not 0 <= start < end <= len(text) or not split_words(text[start:end]):
        expected = f"{what} that holds a word of the {len(text)} characters"
        raise LabelledError(place, expected, f"start {start} and end {end}", IN_TEXT)
    said = item.get("text")
    if said and said != text[start:end]:
        got = f"{text[start:end]!r} from {start} to {end}"
        raise LabelledError(place, f"{what} {said!r} at its offsets", got, IN_TEXT)
    return Range(start, end)


def split_at(text: str, ranges: Sequence[Range]) -> list[tuple[int, int]]:
    """The words of a text, parted where a range begins or ends within one."""
    cuts = sorted({place for one in ranges for place in one})
    words = []
    for start, end in split_words(text):
        inner = [start, *(cut for cut in cuts if start < cut < end), end]
        words += list(pairwise(inner))
    return words


def word_range(words: Sequence[tuple[int, int]], found: Range) -> tuple[int, int]:
    """The first word of a range, and the one after its last."""
    inside = [number for number, (start, end) in enumerate(words) if found.start <= start and end <= found.end]
    return inside[0], inside[-1] + 1


def _quoted(text: str, found: Range) -> str:
    return f"{text[found.start : found.end]!r} ({found.start} to {found.end})"
