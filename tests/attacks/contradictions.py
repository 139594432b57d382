"""Raw files that can be read and contradict themselves: no score of theirs would be true."""

import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def _released(content: bytes, random: Random) -> bytes:
    """An episode without support or queries, or with a label that is none of its types."""
    rows = [json.loads(line) for line in content.decode().splitlines()]
    row = random.choice(rows)
    part = row[random.choice(("support", "query"))]
    kind = random.choice(("empty", "label", "no types", "uneven"))
    if kind == "empty":
        part["word"], part["label"] = [], []
    elif kind == "label":
        part["label"][0][0] = "made-up"
    elif kind == "no types":
        row["types"] = []
    else:
        part["word"][0].append("more")
    return "\n".join(map(json.dumps, rows)).encode() + b"\n"


def _parquet(content: bytes, random: Random) -> bytes:
    """A table whose words are numbers, whose tags have no names, are too few, or are missing."""
    table = pq.read_table(io.BytesIO(content))
    columns: dict[str, Any] = {name: table[name].to_pylist() for name in table.column_names}
    kind = random.choice(("numbers", "tag", "uneven", "null", "column", "negative"))
    if kind == "numbers":
        columns["tokens"] = [list(range(len(words))) for words in columns["tokens"]]
    elif kind in ("tag", "negative"):
        columns["fine_ner_tags"][0][0] = 10_000 if kind == "tag" else -7
    elif kind == "uneven":
        columns["fine_ner_tags"][0].append(0)
    elif kind == "null":
        random.choice(list(columns.values()))[0] = None
    else:
        del columns[random.choice(list(columns))]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns).replace_schema_metadata(table.schema.metadata), sink)
    return sink.getvalue().to_pybytes()


CONTRADICTIONS: dict[str, Callable[[bytes, Random], bytes]] = {"released episodes": _released, "parquet": _parquet}
