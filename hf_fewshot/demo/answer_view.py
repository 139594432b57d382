"""An answer as the page shows it: marked words, bars, reasons, and what has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hf_fewshot.demo.episodes import Expected
from hf_fewshot.demo.marked_text import Mark
from hf_fewshot.demo.trial import Answer, Entity, Learned
from hf_fewshot.tasks.labels import NOTA

# Classes that have a bar.
MOST_BARS = 6
MOST_BARS_OF_ENTITY = 4
NO_ENTITY = "nothing"
COLOURS = 8


class Piece(NamedTuple):
    """A stretch of the sentence; `tag` is None where it is not marked."""

    text: str
    tag: str | None = None
    colour: int = 0


class Bar(NamedTuple):
    """The score of a class; `change` is in percent since the examples were changed."""

    name: str
    share: float
    colour: int
    change: int = 0


class Chip(NamedTuple):
    """A class with its colour, and how many examples show it."""

    name: str
    colour: int
    n_examples: int | None


class Near(NamedTuple):
    """An example that is a reason."""

    text: str
    name: str
    colour: int
    similarity: float
    sentence: str = ""


class EntityView(NamedTuple):
    """An entity with its reasons."""

    text: str
    name: str
    share: float
    colour: int
    bars: list[Bar]
    nearest: list[Near]


@dataclass(frozen=True)
class AnswerView:
    """What the template of an answer takes."""

    pieces: list[Piece]
    label: Bar | None
    is_none: bool
    before: str
    expected: str | None
    is_right: bool
    bars: list[Bar]
    n_more: int
    nearest: list[Near]
    has_entities: bool
    entities: list[EntityView]
    doubtful: EntityView | None


def answer_view(
    answer: Answer, learned: Learned, before: Answer | None = None, expected: Expected | None = None
) -> AnswerView:
    """What is shown of an answer.

    Args:
        before: the answer to the same sentence before the examples were changed.
        expected: what is right, where an episode says it.
    """
    labels, types = colours_of(learned)
    bars = [_bar(name, share, labels, before) for name, share in answer.scores.items()]
    entities = None if answer.entities is None else [_entity(one, types) for one in answer.entities]
    told = "" if before is None or in_words(before) == in_words(answer) else in_words(before)
    return AnswerView(
        pieces=_pieces(answer, types),
        label=next((bar for bar in bars if bar.name == answer.label), None),
        is_none=answer.is_none,
        before=told,
        expected=None if expected is None else expected_in_words(expected),
        is_right=expected is not None and expected.is_met(answer),
        bars=bars[:MOST_BARS],
        n_more=max(0, len(bars) - MOST_BARS),
        nearest=[_near(one, one["label"], labels) for one in answer.nearest],
        has_entities=entities is not None,
        entities=entities or [],
        doubtful=None if answer.doubtful is None else _entity(answer.doubtful, types),
    )


def colours_of(learned: Learned) -> tuple[dict[str | None, int], dict[str | None, int]]:
    """The number of the colour of each class: of those of whole sentences, and of those of words."""
    labels: dict[str | None, int] = {}
    types: dict[str | None, int] = {}
    number = 0
    for part in learned.parts:
        for name in part.classes[1:] if part.column.is_tags else part.classes:
            (types if part.column.is_tags else labels)[name] = number % COLOURS + 1
            number += 1
    return labels, types


def chips_of(learned: Learned) -> list[Chip]:
    """All classes, those of whole sentences first."""
    labels, types = colours_of(learned)
    found = []
    for part in sorted(learned.parts, key=lambda one: one.column.is_tags):
        prefix, colours = part.column.prefix, types if part.column.is_tags else labels
        found += [Chip(name, colours[name], learned.counts[prefix + name]) for name in part.classes if name in colours]
    return found


def in_words(answer: Answer) -> str:
    """An answer in a few words."""
    said = []
    if answer.is_none:
        said.append("none of the above")
    elif answer.label is not None:
        said.append(answer.label)
    if answer.entities is not None:
        said.append(_listed([(one.text, one.mark.name) for one in answer.entities]))
    return "; ".join(said)


def expected_in_words(expected: Expected) -> str:
    """What is right in a few words."""
    said = [] if expected.label is None else ["none of the above" if expected.label == NOTA else expected.label]
    return "; ".join(said if expected.entities is None else [*said, _listed(expected.entities)])


def _listed(entities: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{text} ({name})" for text, name in entities) or "nothing marked"


def _bar(name: str, share: float, colours: Mapping[str | None, int], before: Answer | None) -> Bar:
    change = (
        0 if before is None or name not in before.scores else round(100 * share) - round(100 * before.scores[name])
    )
    return Bar(name, share, colours[name], change)


def _entity(entity: Entity, colours: Mapping[str | None, int]) -> EntityView:
    bars = [
        Bar(NO_ENTITY if name is None else name, share, colours.get(name, 8)) for name, share in entity.scores.items()
    ]
    nearest = [_near(one, one["type"], colours) for one in entity.nearest]
    name = entity.mark.name
    return EntityView(entity.text, name, entity.score, colours[name], bars[:MOST_BARS_OF_ENTITY], nearest)


def _near(one: Mapping[str, Any], name: str, colours: Mapping[str | None, int]) -> Near:
    return Near(one["text"], name, colours[name], one["similarity"], one.get("sentence", ""))


def _pieces(answer: Answer, colours: Mapping[str | None, int]) -> list[Piece]:
    """The sentence cut at its marks; nothing where the task marks no words."""
    if answer.entities is None and not answer.sides:
        return []
    found: list[Piece] = []
    place = 0
    marks: list[Mark] = sorted([*answer.sides, *(one.mark for one in answer.entities or ())])
    for start, end, name in marks:
        found += [Piece(answer.text[place:start]), Piece(answer.text[start:end], name, colours.get(name, 0))]
        place = end
    return [piece for piece in [*found, Piece(answer.text[place:])] if piece.text]
