"""Reads raw files; what is wrong with one is said with its name and line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class RawFileError(ValueError):
    """A raw file that is not what it should be. `place` is a line number, or words where a line would not help."""

    def __init__(self, path: Path, place: int | str | None, expected: str, got: str) -> None:
        where = f"{path}, line {place}" if isinstance(place, int) else f"{path}, {place}" if place else f"{path}"
        super().__init__(f"{where}: expected {expected}, got {got}. Fetch the file again or correct it.")


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; never an empty one."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RawFileError(path, line, "UTF-8 text", f"the bytes {data[error.start : error.start + 4]!r}") from error
    if not text.strip():
        raise RawFileError(path, None, "rows of data", "an empty file")
    return text


def read_json(path: Path, kind: type) -> Any:
    """The JSON value of a file, which must be a `kind` (dict or list)."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise RawFileError(path, error.lineno, "JSON", f"{error.msg} at column {error.colno}") from error
    if not isinstance(value, kind) or not value:
        raise RawFileError(path, 1, f"a JSON {kind.__name__} with entries", f"{shown(value)}")
    return value


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of each line that is not blank."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise RawFileError(path, number, "a JSON object", f"{error.msg} at column {error.colno}") from error
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


def require_unique(path: Path, ids: list[str]) -> None:
    """No id occurs twice."""
    if len(set(ids)) < len(ids):
        seen: set[str] = set()
        for number, name in enumerate(ids, start=1):
            if name in seen:
                raise RawFileError(path, None, "ids that occur once", f"{name!r} again in entry {number}")
            seen.add(name)


def shown(value: Any) -> str:
    """A value in an error message, cut to a readable length."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
