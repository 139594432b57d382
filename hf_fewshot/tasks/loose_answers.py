"""Reading of answers that are not in the form asked for, where they can mean one thing only.

Two readings of one text are none. Nothing a model can write is an error here.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from hf_fewshot.tasks.answers_in_words import Pairs, answers_in, framed, is_text, pairs_in, tagged
from hf_fewshot.tasks.wrapped_answers import LONGEST, MARKUP, bullets, json_values, unfenced, whole_words

Reading = TypeVar("Reading")

# Of a list with bullets; a longer one is no entity with its type.
LONGEST_ITEM = 300
# What models call the parts of an entity.
TEXT_KEYS = ("text", "entity", "value", "word", "name", "span")
TYPE_KEYS = ("type", "label", "category", "slot", "tag", "entity_type")
_DECLARATION = re.compile(
    r"\A(?:the\s+)?(?:\w+\s+)?answers?(?:\s+is|\s+are|\s*[:\uff1a])\s*[:\uff1a]?\s*", re.IGNORECASE
)
_NAMED = re.compile(r"(.+?)\s*(?:\((.+)\)|(?:->|=>|[:|\uff1a\u2013\u2014]|\s-)\s*(.+))")


def loose_answers(text: str, within: str) -> list[str] | None:
    """Answers from JSON in a text; or lines, each of which stands word for word in what was asked about.

    Args:
        within: question and context.
    """
    values = [_opened(value) for value in json_values(text)]
    found = _only(values, answers_in)
    if found is not None or values:
        return found
    items = bullets(text)
    lines = [line for line in unfenced(text[:LONGEST]).split("\n") if line.strip()]
    spans = [_span(item, within) for item in items or lines]
    if not spans or None in spans or (len(spans) > 1 and not items):
        return None
    return list(dict.fromkeys(span for span in spans if span is not None))


def loose_entities(text: str, tokens: Sequence[str], types: Collection[str]) -> tuple[list[str], int] | None:
    """Tags (IO) from JSON in a text, or from a list with bullets, and how many entities have no place."""

    def read(value: Any) -> tuple[list[str], int] | None:
        pairs = _loose_pairs(value, types)
        return None if pairs is None else tagged(pairs, tokens, types)

    values = [_opened(value, types) for value in json_values(text)]
    found = _only(values, read)
    if found is not None or values:
        return found
    pairs = [_named_pair(item, types) for item in bullets(text)]
    if not pairs or None in pairs:
        return None
    tags, unplaced = tagged([pair for pair in pairs if pair is not None], tokens, types)
    return None if unplaced else (tags, unplaced)


def loose_frame(
    text: str, tokens: Sequence[str], intents: Collection[str], slots: Collection[str]
) -> tuple[dict[str, Any], int] | None:
    """Intent and BIO tags from JSON in a text, and how many slots have no place."""

    def read(value: Any) -> tuple[dict[str, Any], int] | None:
        if not isinstance(value, dict) or not {"intent", "slots"} <= value.keys():
            return None
        return framed(value["intent"], _loose_pairs(value["slots"], slots), tokens, intents, slots)

    return _only([_opened(value) for value in json_values(text)], read)


def _only(values: Sequence[Any], read: Callable[[Any], Reading | None]) -> Reading | None:
    """The reading of the values that have one, if it is the same for all of them."""
    readings = [reading for reading in map(read, values) if reading is not None]
    return readings[0] if readings and all(one == readings[0] for one in readings) else None


def _opened(value: Any, names: Collection[str] = ()) -> Any:
    """What an object such as `{"entities": [...]}` holds, whose only key is not the name of a type; else the value."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    key, inner = next(iter(value.items()))
    return inner if key not in names and isinstance(inner, list | dict) else value


def _loose_pairs(value: Any, names: Collection[str]) -> Pairs | None:
    """Pairs from lists of pairs or objects, from `{"type": ["text", ...]}` and from `{"text": "type"}`."""
    if isinstance(value, list):
        return pairs_in([_renamed(one) for one in value])
    if not isinstance(value, dict):
        return None
    if all(key in names for key in value):
        lists = [(name, [own] if isinstance(own, str) else own) for name, own in value.items()]
        if not all(isinstance(own, list) and all(map(is_text, own)) for _, own in lists):
            return None
        return [(text, name) for name, own in lists for text in own]
    if not all(is_text(text) and text not in names and _is_one_of(name, names) for text, name in value.items()):
        return None
    return list(value.items())


def _is_one_of(name: Any, names: Collection[str]) -> bool:
    return isinstance(name, str) and name in names  # looking up a list would be an error


def _renamed(value: Any) -> Any:
    """An object with one text and one type, under the keys that we have for them; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    texts, types = ([key for key in keys if key in value] for keys in (TEXT_KEYS, TYPE_KEYS))
    return {"text": value[texts[0]], "type": value[types[0]]} if len(texts) == len(types) == 1 else value


def _named_pair(item: str, names: Collection[str]) -> tuple[str, str] | None:
    """Text and type of `Anna Berg (person)`, `Anna Berg: person` or `person: Anna Berg`."""
    found = _NAMED.fullmatch(item) if len(item) <= LONGEST_ITEM else None
    if found is None:
        return None
    left, right = found[1].strip(MARKUP), (found[2] or found[3]).strip(MARKUP)
    if (left in names) == (right in names):
        return None
    return (left, right) if right in names else (right, left)


def _span(item: str, within: str) -> str | None:
    """The words of a line that stand in the text, without what surrounds them."""
    line = _DECLARATION.sub("", item.strip(MARKUP), count=1).strip(MARKUP)
    candidates = (line, line.removesuffix(".").strip(MARKUP))
    fitting = (one for one in candidates if one and len(one) <= len(within))
    return next((one for one in fitting if re.search(whole_words(one), within)), None)
