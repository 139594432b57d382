"""Forms: what is asked of a person about an example, and the filled form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import joiner, prefixed
from hf_fewshot.text.short_value import short
from hf_fewshot.text.visible import visible

Place = tuple[int, int]  # first character, character after the last

# Stands for a word that nothing is to be seen of.
BLANK = "\N{OPEN BOX}"
# A span whose first tag is I- can be no answer of a person, but of a system that is answered for.
INSIDE = "I-"


@dataclass(frozen=True)
class Part:
    """A text of an example.

    Args:
        name: what it is called, such as "context".
        text: as it is shown.
        words: what can be selected; None where the text has no words of its own.
    """

    name: str
    text: str
    words: tuple[Place, ...] | None = None


@dataclass(frozen=True)
class Mark:
    """A marked span of a part: from a character to the one after the last, and its type."""

    part: int
    start: int
    end: int
    label: str | None = None


@dataclass(frozen=True)
class Choice:
    """One label is to be chosen: its title, and the options as they are shown."""

    title: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Marking:
    """Spans may be marked.

    Args:
        title: what they are called together.
        types: one of which each has; None: spans have no types, and are a set of answers.
        aligned: whether they begin and end where words do.
    """

    title: str
    types: tuple[str, ...] | None = None
    aligned: bool = True


@dataclass(frozen=True)
class Form:
    """What is asked about an example.

    Args:
        parts: its texts.
        given: marks that belong to the question.
        choice: of a label; None where there is none.
        marking: of spans; None where there is none.
    """

    parts: tuple[Part, ...]
    given: tuple[Mark, ...] = ()
    choice: Choice | None = None
    marking: Marking | None = None


@dataclass(frozen=True)
class Answer:
    """A filled form.

    Args:
        label: that was chosen.
        marks: that were made.
        nowhere: answers that the example does not have as they are written, so that nobody can mark them; some of the
            right ones are such.
    """

    label: str | None = None
    marks: tuple[Mark, ...] = ()
    nowhere: tuple[str, ...] = ()


class FormError(ValueError):
    """A filled form that does not fit, or a prediction that no form expresses."""


def part_of_words(name: str, tokens: Sequence[str]) -> Part:
    """Words as a text: with spaces between them, or as Chinese without."""
    shown = [visible(token, keep="") if token.strip() else BLANK for token in tokens]
    space = len(joiner(tokens))
    ends = [end - space for end in accumulate(len(word) + space for word in shown)]
    words = tuple((end - len(word), end) for word, end in zip(shown, ends, strict=True))
    return Part(name, joiner(tokens).join(shown), words)


def spans_marked(part: Part, spans: Sequence[tuple[int, int, str]]) -> tuple[Mark, ...]:
    """Spans of words as marks of the only part."""
    words = part.words or ()
    return tuple(Mark(0, words[start][0], words[end - 1][1], label) for start, end, label in spans)


def tags_marked(part: Part, tags: Sequence[str], bio: bool) -> tuple[Mark, ...]:
    """Tags as marks; with B- and I-, one that begins with I- beside no span of its type keeps it in its label."""
    spans: list[tuple[int, int, str]] = []
    before = ""
    for place, tag in enumerate(prefixed(tags) if bio else tags):
        name = "" if tag == OUTSIDE else tag[2:] if bio else tag
        if name and name == before and not (bio and tag.startswith("B-")):
            start, _, label = spans[-1]
            spans[-1] = (start, place + 1, label)
        elif name:
            spans.append((place, place + 1, tag if bio and tag.startswith(INSIDE) else name))
        before = name
    return spans_marked(part, spans)


def tags_of(part: Part, marks: Sequence[Mark], types: Sequence[str], bio: bool) -> list[str]:
    """Marks of the only part as tags, with B- and I- or as types alone."""
    words = part.words or ()
    first = {start: number for number, (start, _) in enumerate(words)}
    last = {end: number for number, (_, end) in enumerate(words)}
    tags = [OUTSIDE] * len(words)
    for mark in marks:
        label = mark.label or ""
        continues = label not in types and label.startswith(INSIDE)
        name = label.removeprefix(INSIDE) if continues else label
        start, end = first[mark.start], last[mark.end] + 1
        inner = f"I-{name}" if bio else name
        tags[start:end] = [inner] * (end - start)
        if bio and not continues:
            tags[start] = f"B-{name}"
    return tags


def check_answer(form: Form, answer: Answer) -> None:
    """Raises FormError unless the form can be filled so."""
    if answer.nowhere:
        raise FormError(f"the answer {short(answer.nowhere[0])}, which stands in no part of the example")
    if form.choice is None and answer.label is not None:
        raise FormError(f"a label, {answer.label!r}, where none is asked for")
    if form.choice is not None and answer.label not in form.choice.options:
        raise FormError(f"the label {answer.label!r}, which is none of {', '.join(form.choice.options)}")
    if form.marking is None and answer.marks:
        raise FormError("marks where none are asked for")
    if form.marking is not None:
        _check_marks(form, form.marking, answer.marks)


def _check_marks(form: Form, marking: Marking, marks: Sequence[Mark]) -> None:
    ends: dict[int, int] = {}
    for mark in sorted(marks, key=lambda one: (one.part, one.start)):
        where = f"a mark of characters {mark.start} to {mark.end} of part {mark.part}"
        if not 0 <= mark.part < len(form.parts) or not 0 <= mark.start < mark.end <= len(form.parts[mark.part].text):
            raise FormError(f"{where}, which are not there")
        if marking.types is None:
            if mark.label is not None:
                raise FormError(f"a mark of the type {mark.label!r} where marks have none")
            continue
        if mark.label is None or not {mark.label, mark.label.removeprefix(INSIDE)} & {*marking.types}:
            raise FormError(f"a mark of the type {mark.label!r}, which is none of {', '.join(marking.types)}")
        if mark.start < ends.get(mark.part, 0):
            raise FormError(f"{where} that overlaps another")
        ends[mark.part] = mark.end
        words = form.parts[mark.part].words or ()
        if marking.aligned and not (
            any(mark.start == start for start, _ in words) and any(mark.end == end for _, end in words)
        ):
            raise FormError(f"{where}, which are no whole words")
