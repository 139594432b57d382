"""Raw SMP items: `{domain, text, intent, slots}`, one character per token."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets.utils import logging

from hf_fewshot.files.raw_files import RawFileError, read_json, require_keys, require_name, require_types, shown
from hf_fewshot.tasks.task import STRING

logger = logging.get_logger("hf_fewshot")


def read_items(path: Path, name: str | None = None) -> Iterator[dict[str, Any]]:
    """The example rows of one file of items. An item without an id is named by its domain, file and position."""
    for number, item in enumerate(read_json(path, list)):
        place = f"item {number + 1}"
        require_keys(path, place, item, "domain", "text", "intent")
        require_types(path, place, item, {"domain": STRING, "text": STRING, "intent": STRING})
        tokens = list(_without_space(item["text"]))
        if not tokens:
            raise RawFileError(path, place, "a text", "an empty one")
        require_name(path, place, "intent", item["intent"])
        values = flatten(path, place, item.get("slots", {}))
        tags, unplaced = place_slots("".join(tokens), values)
        if unplaced:
            logger.warning(f"{path}, {place}: not tagged, not in the text or overlapped: {shown(unplaced)}")
        yield {
            "id": _identifier(path, place, item.get("id", f"{item['domain']}-{name or path.stem}-{number}")),
            "domain": item["domain"],
            "tokens": tokens,
            "intent": item["intent"],
            "slot_tags": tags,
        }


def flatten(path: Path, place: str, slots: Any, prefix: str = "") -> list[tuple[str, str]]:
    """(slot name, value) pairs; nested names are joined by a hyphen. No slots may also be null or an empty list."""
    if slots is None or slots == []:
        return []
    if not isinstance(slots, dict):
        raise RawFileError(path, place, "slots as an object", shown(slots))
    pairs: list[tuple[str, str]] = []
    for name, value in slots.items():
        require_name(path, place, "slot", name)
        if isinstance(value, dict):
            pairs += flatten(path, place, value, f"{prefix}{name}-")
            continue
        for one in value if isinstance(value, list) else [value]:
            if type(one) not in (str, int):
                raise RawFileError(path, place, f"the value of slot {prefix + name!r} as text", shown(one))
            pairs.append((prefix + name, _without_space(str(one))))
    return pairs


def _identifier(path: Path, place: str, identifier: Any) -> str:
    if type(identifier) not in (str, int):
        raise RawFileError(path, place, "id as text", shown(identifier))
    return str(identifier)


def place_slots(text: str, values: list[tuple[str, str]]) -> tuple[list[str], list[tuple[str, str]]]:
    """BIO tags of the characters, and the values that found no place.

    Longest value first, each at its first occurrence that is still free: a short value never breaks up a long one.
    """
    tags = ["O"] * len(text)
    unplaced = []
    for name, value in sorted(values, key=lambda pair: -len(pair[1])):
        starts = [match.start() for match in re.finditer(f"(?={re.escape(value)})", text)] if value else []
        free = [start for start in starts if all(tag == "O" for tag in tags[start : start + len(value)])]
        if free:
            tags[free[0] : free[0] + len(value)] = [f"B-{name}"] + [f"I-{name}"] * (len(value) - 1)
        else:
            unplaced.append((name, value))
    return tags, unplaced


def _without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)
