"""The two entities of a relation example, by word positions or by character offsets."""

from collections.abc import Mapping, Sequence
from typing import Any

from hf_fewshot.files.raw_files import shown
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.offsets import range_in, split_at, word_range
from hf_fewshot.tasks.tags import joiner

Row = dict[str, Any]


def entities_in_words(tokens: Sequence[str], items: Mapping[str, Any], place: str) -> Row:
    """Head and tail (`items` by their column) whose `start` and `end`, or `mentions`, count words."""
    found = {}
    for name, item in items.items():
        mentions = _mentions(item, name, place)
        for one in mentions:
            start, end = one.get("start"), one.get("end")
            if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(tokens):
                expected = f"{name} with start and end within the {len(tokens)} words"
                remedy = "Count words from 0; end is behind the last one."
                raise LabelledError(place, expected, shown(one), remedy)
        first = mentions[0]
        said = joiner(tokens).join(tokens[first["start"] : first["end"]])
        found[name] = _entity(item, said, [(one["start"], one["end"]) for one in mentions], name, place)
    return found


def entities_in_text(text: str, items: Mapping[str, Any], place: str) -> tuple[list[str], Row]:
    """The words of a text, and head and tail whose `start` and `end` count its characters."""
    ranges = {
        name: [range_in(text, one, name, place) for one in _mentions(item, name, place)]
        for name, item in items.items()
    }
    words = split_at(text, [one for own in ranges.values() for one in own])
    found = {}
    for name, item in items.items():
        said = text[ranges[name][0].start : ranges[name][0].end]
        found[name] = _entity(item, said, [word_range(words, one) for one in ranges[name]], name, place)
    return [text[start:end] for start, end in words], found


def _mentions(item: Any, name: str, place: str) -> Sequence[Mapping[str, Any]]:
    mentions = item.get("mentions") or [item] if isinstance(item, Mapping) else None
    if not isinstance(mentions, Sequence) or not all(isinstance(one, Mapping) for one in mentions):
        remedy = "Say where it is in the sentence."
        raise LabelledError(place, f'{name} as {{"start": ..., "end": ...}}', shown(item), remedy)
    return mentions


def _entity(item: Mapping[str, Any], said: str, mentions: Sequence[tuple[int, int]], name: str, place: str) -> Row:
    about = {key: item.get(key) or "" for key in ("text", "id", "type")}
    for key, value in about.items():
        if not isinstance(value, str):
            raise LabelledError(place, f"{key} of {name} as text", shown(value), "Write it in quotes.")
    places = [{"start": start, "end": end} for start, end in mentions]
    return {**about, "text": about["text"] or said, "mentions": places}
