"""The three file formats of Few-NERD: tagged text, released episodes, and the Parquet files on the Hub."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from datasets import List
from pyarrow import ArrowException

from hf_fewshot.raw_files import RawFileError, read_json_lines, read_text, require_keys, require_types, shown
from hf_fewshot.schemas import STRING


def read_tagged_text(path: Path, prefix: str) -> Iterator[dict[str, Any]]:
    """Sentences of a `token<TAB>label` file with blank lines between them."""
    tokens: list[str] = []
    tags: list[str] = []
    number = 0
    for line_number, line in enumerate(read_text(path).split("\n"), start=1):
        line = line.rstrip("\r")
        if line.strip():
            parts = line.split("\t")
            if len(parts) != 2 or not parts[0] or not parts[1].strip():
                raise RawFileError(path, line_number, "token<TAB>label", shown(line))
            if parts[1].startswith(("B-", "I-")):
                raise RawFileError(path, line_number, "a label without B- or I- (O or coarse-fine)", shown(parts[1]))
            tokens.append(parts[0])
            tags.append(parts[1].strip())
        elif tokens:
            yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": tags}
            tokens, tags, number = [], [], number + 1
    if tokens:
        yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": tags}


def read_parquet(path: Path, prefix: str) -> Iterator[dict[str, Any]]:
    """Sentences of a Parquet file with `tokens` and `fine_ner_tags`, whose names are in the file's metadata."""
    try:
        file = pq.ParquetFile(path)
    except ArrowException as error:
        raise RawFileError(path, None, "a Parquet file", shown(str(error))) from error
    missing = {"tokens", "fine_ner_tags"} - set(file.schema_arrow.names)
    if missing:
        raise RawFileError(path, None, "the columns tokens and fine_ner_tags", f"{file.schema_arrow.names}")
    metadata = json.loads((file.schema_arrow.metadata or {}).get(b"huggingface", b"{}"))
    feature = metadata.get("info", {}).get("features", {}).get("fine_ner_tags", {})
    names = (feature.get("feature") or feature.get("sequence", {}).get("class_label") or {}).get("names")
    if isinstance(names, dict):
        names = [names[str(number)] for number in range(len(names))]
    if not names:
        raise RawFileError(path, None, "the names of fine_ner_tags in the metadata", "none")
    number = 0
    for batch in file.iter_batches(columns=["tokens", "fine_ner_tags"]):
        for row in batch.to_pylist():
            tokens, tags = row["tokens"], row["fine_ner_tags"]
            if not tokens or not tags or len(tokens) != len(tags):
                raise RawFileError(path, f"row {number + 1}", "as many tags as tokens, at least one", shown(row))
            if not all(tag is not None and 0 <= tag < len(names) for tag in tags) or None in tokens:
                raise RawFileError(
                    path, f"row {number + 1}", f"words, and tags from 0 to {len(names) - 1}", shown(row)
                )
            yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": [names[tag] for tag in tags]}
            number += 1


def read_episodes(path: Path) -> Iterator[dict[str, Any]]:
    """Released episodes: `{"support": {"word", "label"}, "query": {...}, "types"}` per line."""
    for index, (line, item) in enumerate(read_json_lines(path)):
        require_keys(path, line, item, "support", "query", "types")
        require_types(path, line, item, {"types": List(STRING)})
        parts = {part: _part(path, line, part, item[part]) for part in ("support", "query")}
        yield {"index": index, "classes": item["types"], **parts}


def _part(path: Path, line: int, name: str, part: Any) -> list[dict[str, Any]]:
    require_keys(path, line, part, "word", "label")
    require_types(path, line, part, {"word": List(List(STRING)), "label": List(List(STRING))})
    if len(part["word"]) != len(part["label"]):
        raise RawFileError(
            path, line, f"as many {name} words as labels", f"{len(part['word'])} and {len(part['label'])}"
        )
    rows = []
    for tokens, tags in zip(part["word"], part["label"], strict=True):
        if not tokens or len(tokens) != len(tags):
            raise RawFileError(
                path, line, f"as many labels as words in a {name} sentence", f"{len(tags)} and {len(tokens)}"
            )
        # The same sentence may be tagged differently in another episode: types that are not drawn become O.
        content = json.dumps([tokens, tags], ensure_ascii=False).encode()
        rows.append({"id": hashlib.sha256(content).hexdigest()[:16], "tokens": tokens, "tags": tags})
    return rows


def write_tagged_text(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes sentences as a `token<TAB>label` file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sentences = (
        "".join(f"{token}\t{tag}\n" for token, tag in zip(row["tokens"], row["tags"], strict=True)) for row in rows
    )
    path.write_text("\n".join(sentences), encoding="utf-8", newline="\n")
