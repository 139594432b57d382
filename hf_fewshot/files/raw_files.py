"""Reads raw files; what is wrong with one is said with its name and line."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from datasets import List, Value

from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.text.visible import visible

_TYPES: dict[str, Any] = {"string": str, "int32": int, "int64": int, "bool": bool}
_LIMITS = {"int32": 2**31, "int64": 2**63}
_ONLY_TEXT = frozenset({str})
_WORDS = {"string": "text", "int32": "a whole number", "int64": "a whole number", "bool": "true or false"}


class RawFileError(ValueError):
    """A raw file that is not what it should be. `place` is a line number, or words where a line would not help."""

    def __init__(self, path: Path, place: int | str | None, expected: str, got: str) -> None:
        where = f"{path}, line {place}" if isinstance(place, int) else f"{path}, {place}" if place else f"{path}"
        super().__init__(f"{where}: expected {expected}, got {got}. Fetch the file again or correct it.")
        self.details = (path, place, expected, got)

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker process hands its error over by pickle, which would call __init__ with the message alone.
        return type(self), self.details


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; never an empty one."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # error.object is the data without a byte order mark, and error.start counts from there.
        line = error.object.count(b"\n", 0, error.start) + 1
        found = error.object[error.start : error.start + 4]
        raise RawFileError(path, line, "UTF-8 text", f"the bytes {found!r}") from error
    if not text.strip():
        raise RawFileError(path, None, "rows of data", "an empty file")
    return text


def read_json(path: Path, kind: type) -> Any:
    """The JSON value of a file, which must be a `kind` (dict or list)."""
    value = _parsed(path, None, read_text(path), "JSON")
    if not isinstance(value, kind) or not value:
        raise RawFileError(path, 1, f"a JSON {'object' if kind is dict else 'list'} with entries", shown(value))
    return value


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of each line that is not blank."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        value = _parsed(path, number, line, "a JSON object")
        if not isinstance(value, dict):
            raise RawFileError(path, number, "a JSON object", shown(value))
        yield number, value


def require_keys(path: Path, place: int | str, item: Any, *keys: str) -> None:
    """`item` is an object with all of `keys`."""
    if not isinstance(item, dict):
        raise RawFileError(path, place, f"an object with the keys {', '.join(keys)}", shown(item))
    missing = [key for key in keys if key not in item]
    if missing:
        raise RawFileError(
            path, place, f"an object with the keys {', '.join(keys)}", f"one without {', '.join(missing)}"
        )


def require_unique(path: Path, ids: list[str], places: Sequence[int | str] | None = None) -> None:
    """No id occurs twice. `places` says where each one is; else they are counted."""
    seen: set[str] = set()
    for number, name in enumerate(ids):
        if name in seen:
            place = places[number] if places is not None else f"entry {number + 1}"
            raise RawFileError(path, place, "ids that occur once", f"{name!r} again")
        seen.add(name)


def require_types(path: Path, place: int | str, row: dict[str, Any], columns: dict[str, Any]) -> None:
    """Each value is what its column holds. Left to itself, `datasets` writes a number or null as text."""
    name = misfit(row, columns)
    if name is not None:
        raise RawFileError(path, place, f"{name} as {described(columns[name])}", shown(row[name]))


def misfit(row: dict[str, Any], columns: dict[str, Any]) -> str | None:
    """The first column of a row whose value is not what it holds."""
    return next((name for name, feature in columns.items() if not _fits(row[name], feature)), None)


def require_words(path: Path, place: int | str, words: list[str]) -> None:
    """There are words, and none is empty: a model has no place to put its answer about an empty one."""
    if not words or "" in words:
        raise RawFileError(path, place, "words, at least one and none of them empty", shown(words))


def require_name(path: Path, place: int | str, what: str, name: str) -> None:
    """A class has a name."""
    if not name.strip():
        raise RawFileError(path, place, f"a name as {what}", repr(name))


def _fits(value: Any, feature: Any) -> bool:
    if isinstance(feature, dict):
        return isinstance(value, dict) and all(k in value and _fits(value[k], f) for k, f in feature.items())
    if isinstance(feature, List):
        if not isinstance(value, list):
            return False
        inner = feature.feature
        if isinstance(inner, Value) and inner.dtype == "string":
            # Most values of most files are words.
            return _ONLY_TEXT.issuperset(map(type, value))
        return all(_fits(one, inner) for one in value)
    limit = _LIMITS.get(feature.dtype)
    return type(value) is _TYPES[feature.dtype] and (limit is None or -limit <= value < limit)


def described(feature: Any) -> str:
    """What a column holds, in words."""
    if isinstance(feature, dict):
        return f"an object with the keys {', '.join(feature)}"
    if isinstance(feature, List):
        return f"a list, each {described(feature.feature)}"
    return _WORDS[feature.dtype]


def _parsed(path: Path, line: int | None, text: str, expected: str) -> Any:
    """The JSON value of a text, which is the given line of the file or all of it."""
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        got = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise RawFileError(path, line or error.lineno, expected, got) from error
    except ValueError as error:
        raise RawFileError(path, line, expected, f"what cannot be read in one way only: {error}") from error


def shown(value: Any) -> str:
    """A value in an error message, cut to a readable length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return visible(text if len(text) <= 60 else text[:57] + "...")
