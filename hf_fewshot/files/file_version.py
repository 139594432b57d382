"""Versions of a file on a server: which parts of it belong together."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import httpx

LENGTH = re.compile(r"\d{1,18}")
RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")


@dataclass(frozen=True)
class Version:
    """A version of a file: parts of a download must agree in its name and in its length.

    `name` is a strong ETag, or else the date of the last change.
    """

    name: str
    length: int | None

    @classmethod
    def of(cls, response: httpx.Response) -> Self | None:
        """What a response with a whole file says; None where nothing names this version byte for byte."""
        name = _etag(response) or response.headers.get("last-modified", "")
        is_coded = "content-encoding" in response.headers
        return None if is_coded or not name or not name.isascii() else cls(name, announced_length(response))

    @classmethod
    def read(cls, part: Path) -> Self | None:
        """The version that a file is the beginning of; None where that was not noted."""
        file = _file(part)
        if not part.exists() or not file.exists():
            return None
        name, _, length = file.read_text(encoding="ascii", errors="replace").partition("\n")
        return cls(name, int(length) if LENGTH.fullmatch(length) else None) if name.isascii() and name else None

    def write(self, part: Path) -> None:
        """Notes the version that a file is the beginning of, beside it."""
        _file(part).write_text(f"{self.name}\n{'' if self.length is None else self.length}", encoding="ascii")

    @staticmethod
    def forget(part: Path) -> None:
        """Takes the note away."""
        _file(part).unlink(missing_ok=True)

    def denies(self, response: httpx.Response, have: int) -> str:
        """Why a part that a server sent is not what follows the bytes that are there; "" if it is."""
        came = response.headers.get("content-range", "others")
        span = RANGE.fullmatch(came)
        if span is None or int(span[1]) != have:
            return f"bytes from {have} on were asked for, {came} came"
        last, length = int(span[2]), None if span[3] == "*" else int(span[3])
        if self.length is not None and length not in (None, self.length):
            return f"the file had {self.length} bytes, it now has {length}"
        if last < have or (length is not None and last != length - 1):
            return f"all bytes from {have} on were asked for, {came} came"
        # After a date, the answer need not repeat it.
        dated = "" if self.name.startswith('"') else response.headers.get("last-modified", self.name)
        name = _etag(response) or dated
        return "" if name == self.name else f"the version {self.name} was asked for, {name or 'another'} came"


def announced_length(response: httpx.Response) -> int | None:
    """How many bytes the body will have, as they will be written."""
    length = response.headers.get("content-length", "")
    return int(length) if LENGTH.fullmatch(length) and "content-encoding" not in response.headers else None


def _file(part: Path) -> Path:
    return part.with_name(part.name + ".version")


def _etag(response: httpx.Response) -> str:
    etag = response.headers.get("etag", "")
    return etag if etag.startswith('"') else ""
