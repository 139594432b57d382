"""JSON of strangers: what Python would read silently, and should not, is an error."""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

MAX_DEPTH = 200
# A half character can only stand in a text as an escape.
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# Of a text in bytes, brackets and quotes are kept, and an object nests like a list.
STRUCTURE = bytes.maketrans(b"{}", b"[]")
CONTENT = bytes(set(range(256)) - set(b'{}[]"'))
ESCAPED = re.compile(rb'\\["\\]')
STRING = re.compile(rb'"[^"]*"')


def strict_json(text: str | bytes) -> Any:
    """The value of a JSON text; ValueError says what is wrong with it.

    Refused are repeated keys (the last would win), NaN and Infinity (no JSON), numbers that become infinite, values
    nested too deeply, and half characters (no file can hold them).
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_without_repeats, parse_constant=_no_number, parse_float=_finite_number
        )
    except RecursionError:
        raise ValueError(f"it is nested more than {MAX_DEPTH} deep") from None
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    _refuse_depth(text)
    if SURROGATE.search(text):
        _refuse_half_characters(value)
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {repeated!r} comes twice in one object")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that JSON has")


def _finite_number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _refuse_depth(text: str) -> None:
    """Looks at the brackets of valid JSON: a walk through the value would take longer than to read it."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    data = ESCAPED.sub(b"", text.encode(errors="replace"))
    brackets = STRING.sub(b"", data.translate(STRUCTURE, CONTENT).replace(b'""', b""))
    for _ in range(MAX_DEPTH):
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise ValueError(f"it is nested more than {MAX_DEPTH} deep")


def _refuse_half_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{error.object[error.start]!r} is half a character") from None
