"""What a server says that is no answer, in one line."""

import json
import re
from collections.abc import Mapping
from typing import Any

_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HTML = re.compile(rb"\s*<(!doctype|html|head|body)", re.IGNORECASE)
# A server may answer with pages of text.
LONGEST = 2000


def parsed(body: bytes) -> Any:
    """A body as JSON; what it is instead, if it is something else, is in the ValueError."""
    try:
        return json.loads(body)
    except ValueError as error:
        raise ValueError(f"the answer is {_kind(body)} ({error})" if body.strip() else "an empty answer") from None


def message(body: bytes) -> str:
    """What the body of an error says, without a last stop: its message, the title of a page, or the text itself."""
    if _HTML.match(body):
        return _line(_title(body) or "an HTML page")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return _line(body.decode("utf-8", "replace"))
    return _line(_innermost(found))


def code(body: bytes) -> str | None:
    """The name that a server gives to its error, such as `insufficient_quota`."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    error = found.get("error") if isinstance(found, Mapping) else None
    name = error.get("code") if isinstance(error, Mapping) else None
    return name if isinstance(name, str) else None


def _kind(body: bytes) -> str:
    if _HTML.match(body):
        title = _title(body)
        called = f" ({_line(title)})" if title else ""
        return f"an HTML page{called}, so this is not the address of a model. It often ends in /v1"
    if body.lstrip().startswith((b"data:", b"event:", b":")):
        return "a stream of events, which was not asked for. Turn streaming off at the server"
    if body.lstrip().startswith((b"{", b"[")):
        return "JSON that breaks off"
    return "no JSON"


def _title(body: bytes) -> str:
    found = _TITLE.search(body[:LONGEST])
    return found[1].decode("utf-8", "replace") if found else ""


def _innermost(found: Any) -> str:
    for name in ("error", "message", "detail"):
        if isinstance(found, Mapping) and found.get(name):
            return _innermost(found[name])
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _line(text: str) -> str:
    return " ".join(text[:LONGEST].split()).removesuffix(".")
