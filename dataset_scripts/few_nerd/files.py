"""The file formats of Few-NERD: tagged text (or as CoNLL has it), released episodes, the Parquet files of the Hub."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import List
from pyarrow import ArrowException

from hf_fewshot.episodes.memory import BYTES_PER_EXAMPLE, physical_memory
from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json_lines,
    read_text,
    require_keys,
    require_types,
    require_words,
    shown,
)
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import PREFIXES
from hf_fewshot.tasks.task import STRING

# What CoNLL's files have between documents.
DOCUMENT = "-DOCSTART-"
# Of the Parquet files: what each list holds.
COLUMNS = {
    "tokens": (lambda kind: pa.types.is_string(kind) or pa.types.is_large_string(kind), "lists of words"),
    "fine_ner_tags": (pa.types.is_integer, "lists of whole numbers"),
}


def read_tagged_text(path: Path, prefix: str, scheme: str = "io") -> Iterator[dict[str, Any]]:
    """Sentences of a file with a word and its label per line, and blank lines between sentences.

    Args:
        prefix: of the ids of the sentences.
        scheme: "io": `token<TAB>label` as Few-NERD has it, labels are types; "bio": the first and the last of columns
            that tabs or spaces part, as CoNLL has it, labels have B- or I-, and lines of -DOCSTART- part documents.
    """
    read_line = {"io": _io_line, "bio": _bio_line}[scheme]
    tokens: list[str] = []
    tags: list[str] = []
    number = 0
    for line_number, line in enumerate(read_text(path).split("\n"), start=1):
        line = line.rstrip("\r")
        if line.strip() and not (scheme == "bio" and line.startswith(DOCUMENT)):
            token, tag = read_line(path, line_number, line)
            tokens.append(token)
            tags.append(tag)
        elif tokens:
            yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": tags}
            tokens, tags, number = [], [], number + 1
    if tokens:
        yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": tags}


def _io_line(path: Path, number: int, line: str) -> tuple[str, str]:
    parts = line.split("\t")
    if len(parts) != 2 or not parts[0] or not parts[1].strip():
        raise RawFileError(path, number, "token<TAB>label", shown(line))
    tag = parts[1].strip()
    if tag.startswith(PREFIXES):
        expected = (
            'a label without B- or I- (O or coarse-fine); labels that have them are read with scheme="bio", or as '
            "data of your own (--data FILE --task tagging)"
        )
        raise RawFileError(path, number, expected, shown(tag))
    return parts[0], tag


def _bio_line(path: Path, number: int, line: str) -> tuple[str, str]:
    # Words may hold other white space, such as a no-break space.
    parts = [part for part in re.split(r"[\t ]+", line) if part]
    if len(parts) < 2:
        raise RawFileError(path, number, "a word and, after a tab or space, its label", shown(line))
    tag = parts[-1]
    if tag != OUTSIDE and not (tag.startswith(PREFIXES) and tag[2:]):
        expected = 'O, B-type or I-type; labels that are types alone are read with scheme="io"'
        raise RawFileError(path, number, expected, shown(tag))
    return parts[0], tag


def read_parquet(path: Path, prefix: str) -> Iterator[dict[str, Any]]:
    """Sentences of a Parquet file with `tokens` and `fine_ner_tags`, whose names are in the file's metadata."""
    number = 0
    try:
        file = pq.ParquetFile(path)
        names = _tag_names(path, file.schema_arrow)
        _require_memory(path, file.metadata)
        for batch in file.iter_batches(columns=list(COLUMNS)):
            for row in batch.to_pylist():
                place = f"row {number + 1}"
                tokens, tags = row["tokens"], row["fine_ner_tags"]
                if not tokens or not tags or len(tokens) != len(tags):
                    raise RawFileError(path, place, "as many tags as tokens, at least one", shown(row))
                if not all(tag is not None and 0 <= tag < len(names) for tag in tags) or None in tokens:
                    raise RawFileError(path, place, f"words, and tags from 0 to {len(names) - 1}", shown(row))
                require_words(path, place, tokens)
                yield {"id": f"{prefix}-{number}", "tokens": tokens, "tags": [names[tag] for tag in tags]}
                number += 1
    except (ArrowException, UnicodeDecodeError, OSError) as error:
        last = f"row {number + 1}" if number else None
        raise RawFileError(path, last, "a Parquet file", shown(str(error))) from error


def _require_memory(path: Path, metadata: pq.FileMetaData) -> None:
    """A word that is repeated a billion times takes a few bytes in the file, and all of the memory."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    n_values = sum(group.column(number).num_values for group in groups for number in range(group.num_columns))
    if n_values * BYTES_PER_EXAMPLE > physical_memory():
        raise RawFileError(path, None, "a table that fits into memory", f"one of {n_values} values")


def _tag_names(path: Path, schema: pa.Schema) -> list[str]:
    """The names that the numbers of `fine_ner_tags` stand for."""
    # Numbers as tokens would be read as if they were words.
    for name, (is_right, words) in COLUMNS.items():
        if schema.names.count(name) != 1:
            raise RawFileError(path, None, f"the columns {' and '.join(COLUMNS)}", f"{schema.names}")
        kind = schema.field(name).type
        is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        if not is_list or not is_right(kind.value_type):
            raise RawFileError(path, None, f"{name} as {words}", str(kind))
    try:
        metadata = strict_json((schema.metadata or {}).get(b"huggingface", b"{}"))
        feature = metadata["info"]["features"]["fine_ner_tags"]
        names = (feature.get("feature") or feature.get("sequence", {}).get("class_label") or {})["names"]
        if isinstance(names, dict):
            names = [names[str(number)] for number in range(len(names))]
        names = list(names)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RawFileError(path, None, "the names of fine_ner_tags in the metadata", "none") from error
    if not names or {type(name) for name in names} != {str} or len({*names} - {""}) < len(names):
        raise RawFileError(path, None, "the names of fine_ner_tags as different texts", shown(names))
    return names


def read_episodes(path: Path) -> Iterator[dict[str, Any]]:
    """Released episodes: `{"support": {"word", "label"}, "query": {...}, "types"}` per line."""
    for index, (line, item) in enumerate(read_json_lines(path)):
        require_keys(path, line, item, "support", "query", "types")
        require_types(path, line, item, {"types": List(STRING)})
        types = set(item["types"])
        if not types or len(types) < len(item["types"]) or types & {OUTSIDE, ""}:
            raise RawFileError(path, line, "types that are names and occur once", shown(item["types"]))
        parts = {part: _part(path, line, part, item[part], types) for part in ("support", "query")}
        yield {"index": index, "classes": item["types"], **parts}


def _part(path: Path, line: int, name: str, part: Any, types: set[str]) -> list[dict[str, Any]]:
    require_keys(path, line, part, "word", "label")
    require_types(path, line, part, {"word": List(List(STRING)), "label": List(List(STRING))})
    if len(part["word"]) != len(part["label"]):
        raise RawFileError(
            path, line, f"as many {name} words as labels", f"{len(part['word'])} and {len(part['label'])}"
        )
    if not part["word"]:
        raise RawFileError(path, line, f"at least one sentence in the {name} set", "none")
    rows = []
    for tokens, tags in zip(part["word"], part["label"], strict=True):
        if not tokens or len(tokens) != len(tags):
            raise RawFileError(
                path, line, f"as many labels as words in a {name} sentence", f"{len(tags)} and {len(tokens)}"
            )
        require_words(path, line, tokens)
        strange = set(tags) - types - {OUTSIDE}
        if strange:
            raise RawFileError(path, line, f"{name} labels among the types of the episode", shown(sorted(strange)))
        # The same sentence may be tagged differently in another episode: types that are not drawn become O.
        content = json.dumps([tokens, tags], ensure_ascii=False).encode()
        rows.append({"id": hashlib.sha256(content).hexdigest()[:16], "tokens": tokens, "tags": tags})
    return rows
