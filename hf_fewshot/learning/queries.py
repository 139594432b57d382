"""What somebody asks, as an example of a task without its labels, and where its words stand in the text."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hf_fewshot.labelled.relation_rows import entities_in_text, entities_in_words
from hf_fewshot.labelled.words import split_words
from hf_fewshot.tasks.relation import SIDES
from hf_fewshot.tasks.tags import joiner
from hf_fewshot.tasks.task import Task
from hf_fewshot.text.short_value import short


class Query(NamedTuple):
    """An example without labels, its text, and the characters of each word (first, after the last)."""

    example: dict[str, Any]
    text: str
    words: list[tuple[int, int]]


def read_query(task: Task, item: Any, number: int = 0) -> Query:
    """A text, `{"text": ...}` or `{"tokens": [...]}`; of a relation also `head` and `tail` with `start` and `end`.

    Those of a relation count characters of `text`, or words of `tokens`.
    """
    place = f"Query {number}"
    sides = [name for name in SIDES if name in task.columns]
    given = {"text": item} if isinstance(item, str) else item
    if not isinstance(given, Mapping) or any(name not in given for name in sides):
        expected = f"a mapping with text, {' and '.join(sides)}" if sides else 'a text or {"text": ...}'
        raise ValueError(f"{place}: expected {expected}, got {short(item)}.")
    if "tokens" not in task.columns:
        text = _text(given, place)
        return Query({"id": str(number), "text": text}, text, [])
    entities = {name: given[name] for name in sides}
    if "tokens" in given:
        tokens = _tokens(given["tokens"], place)
        placed = entities_in_words(tokens, entities, place) if sides else {}
        text, words = _joined(tokens)
    else:
        text = _text(given, place)
        words = split_words(text)
        tokens, placed = [text[start:end] for start, end in words], {}
        if sides:
            tokens, placed = entities_in_text(text, entities, place)
        if not tokens:
            raise ValueError(f"{place}: expected a text with words, got {short(text)}.")
    return Query({"id": str(number), "tokens": tokens, **placed}, text, words)


def _text(given: Mapping[str, Any], place: str) -> str:
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{place}: expected a text that is not empty, got {short(text)}.")
    return text


def _tokens(tokens: Any, place: str) -> list[str]:
    is_list = isinstance(tokens, Sequence) and not isinstance(tokens, str)
    if not is_list or not tokens or not all(isinstance(token, str) and token for token in tokens):
        raise ValueError(f"{place}: expected tokens as a list of words, got {short(tokens)}.")
    return list(tokens)


def _joined(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Words as a text, and where they stand in it."""
    space = joiner(tokens)
    words: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        start = end + len(space) if words else 0
        end = start + len(token)
        words.append((start, end))
    return space.join(tokens), words
