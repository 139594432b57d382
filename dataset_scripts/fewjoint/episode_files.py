"""Episode files of MetaDialog: `{domain: [{support: {seq_ins, seq_outs, labels}, query: {...}}]}`."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json,
    require_keys,
    require_name,
    require_types,
    require_words,
    shown,
)
from hf_fewshot.tasks import task_of

PARTS = ("support", "query")
COLUMNS = ("seq_ins", "seq_outs", "labels")


def read_episodes(path: Path, *, may_be_empty: bool = False) -> Iterator[dict[str, Any]]:
    """The episode rows of a file, domain after domain.

    Args:
        may_be_empty: whether a support or query set may hold nothing, where utterances alone are wanted.
    """
    index = 0
    for domain, episodes in read_json(path, dict).items():
        if not isinstance(episodes, list):
            raise RawFileError(path, f"domain {domain!r}", "a list of episodes", shown(episodes))
        for number, episode in enumerate(episodes, start=1):
            place = f"domain {domain!r}, episode {number}"
            require_keys(path, place, episode, *PARTS)
            parts = {part: read_part(path, f"{place}, {part}", domain, episode[part]) for part in PARTS}
            for part, rows in parts.items():
                if not rows and not may_be_empty:
                    raise RawFileError(path, f"{place}, {part}", "at least one sentence", "none")
            intents = {utterance["intent"] for utterance in parts["support"]}
            tags = {tag for utterance in parts["support"] for tag in utterance["slot_tags"]}
            slots = {tag[2:] for tag in tags if tag != "O"}
            yield {"index": index, "domain": domain, "intents": sorted(intents), "slots": sorted(slots), **parts}
            index += 1


def read_part(path: Path, place: str, domain: str, part: Any) -> list[dict[str, Any]]:
    """The utterances of a support or query set."""
    require_keys(path, place, part, *COLUMNS)
    for column in COLUMNS:
        if not isinstance(part[column], list):
            raise RawFileError(path, place, f"{column} as a list", shown(part[column]))
    lengths = {column: len(part[column]) for column in COLUMNS}
    if len(set(lengths.values())) > 1:
        raise RawFileError(path, place, "as many seq_ins as seq_outs and labels", shown(lengths))
    rows = zip(*(part[column] for column in COLUMNS), strict=True)
    return [read_utterance(path, f"{place} sentence {n}", domain, *row) for n, row in enumerate(rows, start=1)]


def read_utterance(path: Path, place: str, domain: str, tokens: Any, tags: Any, labels: Any) -> dict[str, Any]:
    """One utterance. Its id is made from its content: the same utterance has the same id in every file."""
    if not isinstance(tokens, list) or not isinstance(tags, list) or not tokens or len(tokens) != len(tags):
        raise RawFileError(path, place, "as many tags as tokens, at least one", f"{shown(tokens)} and {shown(tags)}")
    for tag in tags:
        if tag != "O" and not (isinstance(tag, str) and tag[:2] in ("B-", "I-") and len(tag) > 2):
            raise RawFileError(path, place, "BIO tags (O, B-name, I-name)", repr(tag))
    if not isinstance(labels, list) or len(labels) != 1 or not isinstance(labels[0], str):
        raise RawFileError(path, place, "one intent in a list", shown(labels))
    content = json.dumps([domain, tokens, tags, labels], ensure_ascii=False).encode()
    name = f"{domain}-{hashlib.sha256(content).hexdigest()[:12]}"
    row = {"id": name, "domain": domain, "tokens": tokens, "intent": labels[0], "slot_tags": tags}
    require_types(path, place, row, task_of("joint").columns)
    require_words(path, place, tokens)
    require_name(path, place, "intent", labels[0])
    return row


def write_episodes(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes episode rows as an episode file."""
    document: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        parts = {
            part: {
                "seq_ins": [utterance["tokens"] for utterance in row[part]],
                "seq_outs": [utterance["slot_tags"] for utterance in row[part]],
                "labels": [[utterance["intent"]] for utterance in row[part]],
            }
            for part in PARTS
        }
        document.setdefault(row["domain"], []).append(parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8", newline="\n")
