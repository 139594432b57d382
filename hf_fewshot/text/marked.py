"""Sentences cut where their spans begin and end, for pages that mark them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Span = tuple[int, int, str]


@dataclass(frozen=True)
class Mark:
    """A span over a piece of text.

    Args:
        label: of the span.
        colour: number of the class in the episode, from 1 to 8; 0 for what is no class, such as head and tail.
        state: "missed" for gold that was not predicted, "wrong" for predictions that are not gold, else "".
        ends: whether the span ends with this piece, where its label is written.
    """

    label: str
    colour: int
    state: str
    ends: bool


@dataclass(frozen=True)
class Piece:
    """Text under the same spans."""

    text: str
    marks: tuple[Mark, ...]


def pieces(
    tokens: Sequence[str],
    joiner: str,
    spans: Sequence[Span],
    others: Sequence[Span],
    state: str,
    colours: dict[str, int],
) -> list[Piece]:
    """The sentence cut at the ends of its spans, which may overlap; spans that are not in `others` get `state`."""
    cuts = sorted({0, len(tokens), *(end for start, stop, _ in spans for end in (start, stop))})
    found = []
    for start, end in pairwise(cuts):
        marks = tuple(
            Mark(span[2], colours.get(span[2], 0), "" if span in others else state, span[1] == end)
            for span in spans
            if span[0] <= start and end <= span[1]
        )
        found.append(Piece(joiner.join(tokens[start:end]), marks))
        if joiner and end < len(tokens):
            found.append(Piece(joiner, ()))
    return found
