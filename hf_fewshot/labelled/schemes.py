"""Schemes of tags: IO, BIO (IOB1, IOB2), BIOES and BILOU, turned into those of the project: types alone, or BIO."""

from collections.abc import Sequence
from typing import NamedTuple

from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import Span, split_tags, tag_spans

IO, BIO = "io", "bio"
REMEDY = "Write all tags in one scheme: types alone (IO), B- and I- (BIO), or BIOES or BILOU."
NO_TYPE = "Write the type behind the letter, such as B-entity and I-entity."


class Marks(NamedTuple):
    """The letters of a scheme that marks where entities end and those of one word."""

    last: str
    single: str


SCHEMES = {"bioes": Marks("E", "S"), "bilou": Marks("L", "U")}
LETTERS = {"B", "I", *(letter for marks in SCHEMES.values() for letter in marks)}


def scheme_of_tags(name: str, tags: set[str]) -> str:
    """Which scheme distinct tags are written in.

    Types alone are those of which not every one has a letter of a scheme: "E-mail" is a type, "B-cell" beside "virus"
    too. Letters without types say nothing.

    Args:
        name: of the source, for messages.
    """
    entity_tags = sorted(tags - {OUTSIDE})
    if {*entity_tags} & {"B", "S", "U"} and {*entity_tags} <= LETTERS:
        raise LabelledError(name, "tags with a type", f"the letters {', '.join(entity_tags)} alone", NO_TYPE)
    letters = {tag[0] for tag in entity_tags}
    if not all(tag[0] in LETTERS and tag[1:2] == "-" and tag[2:].strip() for tag in entity_tags) or not entity_tags:
        return _of_types(name, entity_tags)
    if letters <= {"B", "I"}:
        return BIO
    for scheme, (last, single) in SCHEMES.items():
        if letters <= {"B", "I", last, single} and (single in letters or {"B", last} <= letters):
            return scheme
    if letters & {"B", "I"}:
        raise LabelledError(name, "tags of one scheme", f"tags that begin with {', '.join(sorted(letters))}", REMEDY)
    return _of_types(name, entity_tags)


def _of_types(name: str, entity_tags: list[str]) -> str:
    for tag in entity_tags:
        if tag.endswith("-") and tag[:-1] in LETTERS:
            raise LabelledError(name, "tags with a type", repr(tag), NO_TYPE)
    try:
        split_tags(entity_tags)
    except ValueError as error:
        raise LabelledError(name, "tags of one scheme", str(error).rstrip("."), REMEDY) from error
    return IO


def spans_of(scheme: str, tags: Sequence[str], place: str) -> list[Span]:
    """The entities of a sentence: first word, word after the last, type; what its scheme does not allow is an error.

    In BIO an entity may begin with I- (IOB1), and where it does B- parts two of one type that touch.
    """
    if scheme in (IO, BIO):
        return tag_spans(tags)
    last, single = SCHEMES[scheme]
    spans: list[Span] = []
    begun: tuple[int, str] | None = None
    for position, tag in enumerate([*tags, OUTSIDE]):
        letter, kind = (tag[0], tag[2:]) if tag != OUTSIDE else (OUTSIDE, "")
        goes_on = letter in ("I", last)
        if goes_on != (begun is not None) or (begun is not None and begun[1] != kind):
            before = tags[position - 1] if position else "nothing"
            got = f"{tag if position < len(tags) else 'its end'} behind {before} at word {position + 1}"
            raise LabelledError(place, f"a sentence in {scheme.upper()}", got, "Correct the tags.")
        if letter == "B":
            begun = (position, kind)
        elif letter == single:
            spans.append((position, position + 1, kind))
        elif begun is not None and letter == last:
            spans.append((begun[0], position + 1, kind))
            begun = None
    return spans


def bio_tags(spans: Sequence[Span], n_words: int) -> list[str]:
    """Entities of a sentence as BIO tags."""
    tags = [OUTSIDE] * n_words
    for start, end, kind in spans:
        tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return tags
