"""JSON of strangers: what Python would read silently, and should not, is an error."""

import json
from typing import Any, NoReturn

MAX_DEPTH = 200


def strict_json(text: str | bytes) -> Any:
    """The value of a JSON text; ValueError says what is wrong with it.

    Refused are repeated keys (the last would win), NaN and Infinity (no JSON), values nested too deeply, and half
    characters (no file can hold them).
    """
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except RecursionError:
        raise ValueError(f"it is nested more than {MAX_DEPTH} deep") from None
    if _depth(value) > MAX_DEPTH:
        raise ValueError(f"it is nested more than {MAX_DEPTH} deep")
    if "\\u" in (text if isinstance(text, str) else text.decode("utf-8", "replace")):
        _refuse_half_characters(value)
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} comes twice in one object")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that JSON has")


def _depth(value: Any) -> int:
    """How deep a value is nested, or one more than allowed."""
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [part for one in level for part in _parts(one)]
    return depth


def _parts(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse_half_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{error.object[error.start]!r} is half a character") from None
