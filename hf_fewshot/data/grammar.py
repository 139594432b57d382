"""Hand-written grammars: templates and word lists that expand to text with labelled spans.

A template is plain text with three kinds of holes:

- `{label}` draws a phrase from the word list `label` and marks it as a span with that label; `{label=words}` draws it
  from another list;
- `<words>` draws a phrase and leaves it unmarked;
- `[one|other|]` takes one of the alternatives, which may be empty and may hold holes themselves.

Phrases of a word list are templates too. One expansion takes no phrase of a list twice while others are left, so that
"{city} and {city}" names two cities.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml

__all__ = ["Draw", "Expansion", "Grammar", "Span", "distinct", "lines", "read_grammar"]

T = TypeVar("T")

# A pure-Python YAML reader takes half a second for the larger files; both readers give the same objects.
_YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# "a" in front of a vowel sound. The exceptions are the words the grammars hold, not all of English.
_BARE_ARTICLE = re.compile(
    r"""(?: (?<![^\s"(])a | ^A | (?<=[.?!]\ )A )  \ +
        (?i: (?= (?! uni(?![dmn]) | unan | us[aeu] | eu | one\b | once\b ) [aeiou] | hour | honest | heir ))""",
    re.VERBOSE,
)

_HOLE = re.compile(
    r"<(?P<words>[^][<>{}|]+)> | {(?P<label>[^][<>{}|=]+)(?:=(?P<source>[^][<>{}|=]+))?} | [][<>{}|]", re.VERBOSE
)


class Draw:
    """Random choices that are the same in every Python version.

    Only the stream of `random.Random(seed).random()` is guaranteed to stay; `choice`, `shuffle` and `sample` of the
    standard library have changed before.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random

    def below(self, bound: int) -> int:
        """An integer from 0 to `bound` - 1."""
        return int(self._random() * bound)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order, as a new list."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def cycle(self, items: Sequence[T]) -> Iterator[T]:
        """All items in random order, then all again in another, without end."""
        while True:
            yield from self.shuffled(items)


@dataclass(frozen=True)
class Span:
    """A labelled stretch of an expansion; `end` is exclusive, the unit is characters or tokens."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Expansion:
    """The outcome of a template: pieces of text, each with its label or None."""

    pieces: tuple[tuple[str, str | None], ...]

    @property
    def text(self) -> str:
        """The pieces as one string."""
        return "".join(text for text, _ in self.pieces)

    @property
    def spans(self) -> list[Span]:
        """Labelled spans in characters of `text`."""
        return self._spans(len)

    @property
    def tokens(self) -> list[str]:
        """Words between white space; a labelled piece always begins and ends a word."""
        return [token for text, _ in self.pieces for token in text.split()]

    @property
    def token_spans(self) -> list[Span]:
        """Labelled spans in positions of `tokens`."""
        return self._spans(lambda text: len(text.split()))

    @property
    def labels(self) -> list[str]:
        """Labels in order of appearance, with repetitions."""
        return [label for _, label in self.pieces if label is not None]

    def _spans(self, length: Callable[[str], int]) -> list[Span]:
        spans, start = [], 0
        for text, label in self.pieces:
            end = start + length(text)
            if label is not None:
                spans.append(Span(label, start, end))
            start = end
        return spans


# ("text", string, None), ("hole", name of a word list, label or None) or ("either", list of templates, None).
_Part = tuple[str, Any, str | None]


class Grammar:
    """Word lists that templates draw from; a list is one string of phrases separated by `|`."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = {
            name: [phrase.strip() for phrase in _split_alternatives(phrases)] for name, phrases in words.items()
        }
        self._parsed: dict[str, tuple[_Part, ...]] = {}

    def expand(self, template: str, draw: Draw, bound: Mapping[str, str] | None = None) -> Expansion:
        """Fill the holes of a template; `bound` gives the text of holes that are settled already."""
        merged: list[tuple[str, str | None]] = []
        for text, label in self._fill(template, draw, bound or {}, {}):
            if label is None and merged and merged[-1][1] is None:
                merged[-1] = (merged[-1][0] + text, None)
            elif text:
                merged.append((text, label))
        return Expansion(_with_articles(merged))

    def phrase(self, words: str, draw: Draw) -> str:
        """A phrase of a word list as plain text."""
        return self.expand(f"<{words}>", draw).text

    def labels(self, template: str) -> list[str]:
        """Labels that every or some expansion of the template holds, in order, without repetitions."""
        found: dict[str, None] = {}
        for kind, content, label in self._parse(template):
            if label is not None:
                found[label] = None
            elif kind == "either":
                found.update(dict.fromkeys(inner for option in content for inner in self.labels(option)))
        return list(found)

    def _fill(
        self, template: str, draw: Draw, bound: Mapping[str, str], used: dict[str, list[str]]
    ) -> Iterator[tuple[str, str | None]]:
        for kind, content, label in self._parse(template):
            if kind == "text":
                yield content, None
            elif kind == "either":
                yield from self._fill(draw.choice(content), draw, bound, used)
            elif content in bound:
                yield bound[content], label
            else:
                phrase = self._unused(content, template, draw, used)
                yield "".join(text for text, _ in self._fill(phrase, draw, bound, used)), label

    def _unused(self, words: str, template: str, draw: Draw, used: dict[str, list[str]]) -> str:
        if words not in self._words:
            near = get_close_matches(words, self._words, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"Template {template!r} names the word list {words!r}, which does not exist.{hint}")
        taken = used.setdefault(words, [])
        left = [phrase for phrase in self._words[words] if phrase not in taken] or self._words[words]
        taken.append(draw.choice(left))
        return taken[-1]

    def _parse(self, template: str) -> tuple[_Part, ...]:
        if template not in self._parsed:
            self._parsed[template] = tuple(_parts(template))
        return self._parsed[template]


def distinct(make: Callable[[], T], key: Callable[[T], str], seen: set[str], attempts: int = 500) -> T:
    """Make items until one comes whose key is not in `seen`, and add its key there."""
    for _ in range(attempts):
        item = make()
        if key(item) not in seen:
            seen.add(key(item))
            return item
    raise ValueError(
        f"Expected a sentence that differs from the {len(seen)} before, got none in {attempts} attempts; the last was "
        f"{key(item)!r}. Add templates or words to the grammar."
    )


def lines(block: str) -> list[str]:
    """Templates of a YAML block, one a line."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def read_grammar(path: Path) -> dict[str, Any]:
    """Read a YAML file of word lists and templates."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_YAML_LOADER)


def _split_alternatives(text: str) -> list[str]:
    """Split at each `|` that is not inside brackets."""
    depth, start, parts = 0, 0, []
    for position, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "|" and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def _parts(template: str) -> Iterator[_Part]:
    position = 0
    while match := _HOLE.search(template, position):
        start, end = match.span()
        if start > position:
            yield ("text", template[position:start], None)
        if match["words"]:
            yield ("hole", match["words"], None)
        elif match["label"]:
            yield ("hole", match["source"] or match["label"], match["label"])
        elif match.group() == "[" and (end := _after_closing(template, start)):
            yield ("either", _split_alternatives(template[start + 1 : end - 1]), None)
        else:
            raise ValueError(f"Template {template!r} has a {match.group()!r} at {start} without its counterpart.")
        position = end
    if position < len(template):
        yield ("text", template[position:], None)


def _after_closing(template: str, start: int) -> int:
    """Position after the bracket that closes the one at `start`, or 0."""
    depth = 0
    for position in range(start, len(template)):
        depth += (template[position] == "[") - (template[position] == "]")
        if depth == 0:
            return position + 1
    return 0


def _with_articles(pieces: list[tuple[str, str | None]]) -> tuple[tuple[str, str | None], ...]:
    """Write "an" for "a" where a vowel follows, also across pieces."""
    text = "".join(piece for piece, _ in pieces)
    ends = [match.start() + 1 for match in _BARE_ARTICLE.finditer(text)]
    result, start = [], 0
    for piece, label in pieces:
        inside = [end - start for end in ends if start < end <= start + len(piece)]
        start += len(piece)
        for end in reversed(inside):
            piece = f"{piece[:end]}n{piece[end:]}"
        result.append((piece, label))
    return tuple(result)
