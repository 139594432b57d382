"""Strict reading of what a model wrote: one line, exactly in the form that the demonstrations or the schema show.

Nothing a model can write is an error here. What is not in the form is None; `loose_answers` may still read it.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from hf_fewshot.tasks.labels import OUTSIDE

Pairs = list[tuple[str, str]]  # texts and the names of their types


def first_line(text: str) -> str:
    """The first line that is not blank, without surrounding white space."""
    return next((line.strip() for line in text.split("\n") if line.strip()), "")


def parse_label(text: str, words: Mapping[str, str]) -> str | None:
    """The label whose word the line is, in any case, with or without a full stop or quotes. `words`: label to word."""
    line = first_line(text).strip(" \"'`*").removesuffix(".").strip(" \"'`*").casefold()
    return next((label for label, word in words.items() if word.strip().casefold() == line), None)


def parse_answers(text: str) -> list[str] | None:
    """The texts of `["first", "second"]`, each once; `[]` is no answer."""
    return answers_in(_parse_json(text))


def parse_entities(text: str, tokens: Sequence[str], types: Collection[str]) -> tuple[list[str], int] | None:
    """Tags (IO) from `[["Anna Berg", "person"], ...]`, and how many entities the sentence or the types do not have."""
    pairs = pairs_in(_parse_json(text))
    return None if pairs is None else tagged(pairs, tokens, types)


def parse_frame(
    text: str, tokens: Sequence[str], intents: Collection[str], slots: Collection[str]
) -> tuple[dict[str, Any], int] | None:
    """Intent and BIO tags from `{"intent": "...", "slots": [["value", "slot"], ...]}`, and how many slots are lost."""
    value = _parse_json(text)
    if not isinstance(value, dict) or value.keys() != {"intent", "slots"}:
        return None
    return framed(value["intent"], pairs_in(value["slots"]), tokens, intents, slots)


def answers_in(value: Any) -> list[str] | None:
    """The texts of a JSON list, each once."""
    if not isinstance(value, list) or not all(map(is_text, value)):
        return None
    return list(dict.fromkeys(text for text in value if text))


def pairs_in(value: Any) -> Pairs | None:
    """The pairs of a JSON list of `["text", "type"]` or `{"text": ..., "type": ...}`."""
    if not isinstance(value, list):
        return None
    pairs = [_pair(one) for one in value]
    return None if None in pairs else [pair for pair in pairs if pair is not None]


def tagged(pairs: Pairs, tokens: Sequence[str], types: Collection[str]) -> tuple[list[str], int]:
    """Entities as tags (IO), and how many of them have no place."""
    spans, unplaced = place(pairs, tokens, types)
    tags = [OUTSIDE] * len(tokens)
    for start, end, name in spans:
        tags[start:end] = [name] * (end - start)
    return tags, unplaced


def framed(
    intent: Any, pairs: Pairs | None, tokens: Sequence[str], intents: Collection[str], slots: Collection[str]
) -> tuple[dict[str, Any], int] | None:
    """An intent and slots as a prediction, and how many slots have no place."""
    # Looking up a list or a dict would be an error.
    if pairs is None or not isinstance(intent, str) or intent not in intents:
        return None
    spans, unplaced = place(pairs, tokens, slots)
    tags = [OUTSIDE] * len(tokens)
    for start, end, name in spans:
        tags[start:end] = [f"B-{name}"] + [f"I-{name}"] * (end - start - 1)
    return {"intent": intent, "slot_tags": tags}, unplaced


def place(
    entities: Iterable[tuple[str, str]], tokens: Sequence[str], names: Collection[str]
) -> tuple[list[tuple[int, int, str]], int]:
    """Where the entities (text, name) stand in the sentence, and how many have no place or no known name.

    They are taken in the order of the text: each is looked for after the one before, then from the beginning. White
    space does not count, since sentences are given as words.
    """
    words = ["".join(token.split()) for token in tokens]
    spans: list[tuple[int, int, str]] = []
    taken = [False] * len(words)
    after, lost = 0, 0
    for text, name in entities:
        wanted = "".join(text.split())
        starts = (*range(after, len(words)), *range(min(after, len(words))))
        found = next((span for start in starts if (span := _match(words, taken, start, wanted))), None)
        if name not in names or found is None:
            lost += 1
            continue
        spans.append((*found, name))
        taken[found[0] : found[1]] = [True] * (found[1] - found[0])
        after = found[1]
    return spans, lost


def is_text(value: Any) -> bool:
    """Whether it is a text that can be written to a file: JSON can spell half a character."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _match(words: list[str], taken: list[bool], start: int, wanted: str) -> tuple[int, int] | None:
    """The span from `start` whose free words are together what is wanted."""
    done = 0
    for end in range(start, len(words)):
        if taken[end] or not words[end] or not wanted.startswith(words[end], done):
            return None
        done += len(words[end])
        if done == len(wanted):
            return start, end + 1
    return None


def _parse_json(text: str) -> Any:
    try:
        return json.loads(first_line(text))
    except (ValueError, RecursionError):
        return None


def _pair(value: Any) -> tuple[str, str] | None:
    if isinstance(value, dict) and value.keys() == {"text", "type"}:
        value = [value["text"], value["type"]]
    if not isinstance(value, list) or len(value) != 2 or not all(map(is_text, value)):
        return None
    return value[0], value[1]
