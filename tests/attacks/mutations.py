"""Seeded damage to values, text, bytes and options: what strangers' files look like."""

import json
import re
from dataclasses import dataclass
from random import Random
from typing import Any

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
HTML = "<img src=x onerror=alert(7)>"
WORDS = (
    "",
    " ",
    "\ud800",
    "\udcff half",
    ESCAPE,
    "\x9b2J",
    "\u202egnp.exe",
    "[/red]",
    "[bold]a[/]",
    "Proto [ours]",
    HTML,
    "</script><b>x</b>",
    "a|b\n| c | d |",
    "\x00",
    "é" * 5000,
    "../../../outside",
    "nul\nline",
    "{{ 7 * 7 }}",
    "%s%n{0}",
    "O",
    "B-",
)
NUMBERS: tuple[Any, ...] = (0, -1, 1, 1.5, -0.0, 1e308, 5e-324, 2**31, 2**63, -(2**63) - 1, 10**20, 10**400, 170, 1.7)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"": None}, "text", 7)
# JSON that no value of Python is written as.
RAW = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "[" * 100_000, "[" * 3000 + "]" * 3000, '{"a":' * 3000)
REPEATED_KEY = "repeated key"


@dataclass(frozen=True)
class Damage:
    """Damaged text or bytes, and what was done to them."""

    data: bytes
    kind: str


class Mutator:
    """Draws damage; the same state of `random` gives the same damage."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def word(self) -> str:
        """A string that is hard to print or to use as a name."""
        return self.random.choice(WORDS)

    def number(self) -> Any:
        """A number at the edge of what fits anywhere."""
        return self.random.choice(NUMBERS)

    def json(self, value: Any) -> Damage:
        """A JSON value with damage at one or a few places, as text."""
        holes: dict[str, str] = {}
        kinds = []
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            value, kind = self._changed(value, holes)
            kinds.append(kind)
        text = json.dumps(value)
        for name, raw in holes.items():
            text = text.replace(json.dumps(name), raw)
        return Damage(text.encode(), REPEATED_KEY if kinds == [REPEATED_KEY] else ", ".join(kinds))

    def lines(self, text: str) -> Damage:
        """Lines of text left out, repeated, exchanged, joined or spoiled."""
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        kind = self.random.choice(("drop", "repeat", "swap", "join", "word", "tabs", "number", "separator"))
        if kind == "drop":
            del lines[at : at + self.random.choice((1, 1, 5, 10**6))]
        elif kind == "repeat":
            lines[at:at] = lines[at : at + 3] * self.random.choice((1, 2, 50))
        elif kind == "swap":
            other = self.random.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == "join":
            lines[at : at + 2] = ["".join(lines[at : at + 2])]
        elif kind == "word":
            lines[at] = self._spoiled(lines[at], self.word())
        elif kind == "number":
            lines[at] = re.sub(r"\d+", lambda _: str(self.number())[:500], lines[at] or "0")
        elif kind == "tabs":
            lines[at] = lines[at].replace("\t", " ") if "\t" in lines[at] else "\t" + lines[at]
        else:
            lines[at] = self._spoiled(lines[at], self.random.choice(("\u2028", "\x85", "\x0b", "\r", "\ufeff", "---")))
        return Damage("\n".join(lines).encode("utf-8", "surrogatepass"), f"line {kind}")

    def bytes(self, data: bytes) -> Damage:
        """A file cut off, with flipped bits, in another encoding, empty, or with parts in the wrong place."""
        at = self.random.randrange(len(data)) if data else 0
        kind = self.random.choice(
            (
                "cut",
                "cut",
                "bit flip",
                "bit flip",
                "empty",
                "utf-16",
                "latin-1",
                "zeros",
                "moved",
                "twice",
                "mark",
                "crlf",
            )
        )
        text = data.decode("utf-8", "replace")
        damaged = {
            "cut": lambda: data[:at],
            "bit flip": lambda: self._flipped(data),
            "empty": lambda: self.random.choice((b"", b"\n", b" ", b"null", b"[]", b"{}")),
            "utf-16": lambda: text.encode("utf-16"),
            "latin-1": lambda: (text + "é").encode("latin-1", "replace"),
            "zeros": lambda: data[:at] + bytes(self.random.choice((1, 100))) + data[at:],
            "moved": lambda: data[at:] + data[:at],
            "twice": lambda: data + data,
            "mark": lambda: b"\xef\xbb\xbf" + data,
            "crlf": lambda: data.replace(b"\n", b"\r\n"),
        }[kind]()
        return Damage(damaged, kind)

    def file(self, data: bytes, suffix: str) -> Damage:
        """Damage that fits the kind of a file: its values, its lines or its bytes."""
        way = self.random.random()
        if suffix == ".json" and way < 0.8:
            return self.json(json.loads(data))
        if suffix == ".jsonl" and way < 0.7:
            lines = data.decode().rstrip("\n").split("\n")
            at = self.random.randrange(len(lines))
            damage = self.json(json.loads(lines[at]))
            lines[at] = damage.data.decode()
            return Damage("\n".join(lines).encode(), damage.kind)
        if suffix in (".txt", ".jsonl", ".yaml") and way < 0.9:
            return self.lines(data.decode())
        return self.bytes(data)

    def _changed(self, value: Any, holes: dict[str, str]) -> tuple[Any, str]:
        """The value with one change at a random place; raw JSON goes to `holes`, named by a string in its place."""
        if isinstance(value, (dict, list)) and value and self.random.random() < 0.85:
            if isinstance(value, dict):
                key = self.random.choice(list(value))
                if self.random.random() < 0.15:
                    return self._of_object(value, key, holes)
                changed, kind = self._changed(value[key], holes)
                return {**value, key: changed}, kind
            at = self.random.randrange(len(value))
            if self.random.random() < 0.1:
                return self._of_list(value, at)
            changed, kind = self._changed(value[at], holes)
            return [*value[:at], changed, *value[at + 1 :]], kind
        kind = self.random.choice(("type", "type", "word", "word", "number", "number", "raw"))
        if kind == "raw":
            return self._hole(self.random.choice(RAW), holes), kind
        return {"type": self.random.choice(OTHERS), "word": self.word(), "number": self.number()}[kind], kind

    def _of_object(self, value: dict[str, Any], key: str, holes: dict[str, str]) -> tuple[Any, str]:
        kind = self.random.choice(("drop key", REPEATED_KEY, "new key", "other key"))
        rest = {name: one for name, one in value.items() if name != key}
        if kind == "drop key":
            return rest, kind
        if kind == REPEATED_KEY:
            text = f"{json.dumps(value)[:-1]}, {json.dumps(key)}: {json.dumps(value[key])}}}"
            return self._hole(text, holes), kind
        name = self.word() if kind == "new key" else key + self.word()
        return {**(value if kind == "new key" else rest), name: value[key]}, kind

    def _of_list(self, value: list[Any], at: int) -> tuple[Any, str]:
        kind = self.random.choice(("drop item", "repeat item", "repeat many", "no items"))
        copies = {"drop item": 0, "repeat item": 2, "repeat many": 200, "no items": 0}[kind]
        return [] if kind == "no items" else [*value[:at], *[value[at]] * copies, *value[at + 1 :]], kind

    def _hole(self, raw: str, holes: dict[str, str]) -> str:
        name = f"hole {len(holes)} {self.random.random()}"
        holes[name] = raw
        return name

    def _flipped(self, data: bytes) -> bytes:
        flipped = bytearray(data)
        for _ in range(self.random.choice((1, 1, 8)) if data else 0):
            flipped[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        return bytes(flipped)

    def _spoiled(self, text: str, word: str) -> str:
        at = self.random.randrange(len(text) + 1)
        return text[:at] + word + text[at:]
