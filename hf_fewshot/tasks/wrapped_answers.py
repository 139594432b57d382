"""What models write around an answer: code fences, bullets, sentences with JSON in them."""

import json
import re
from collections.abc import Iterator
from typing import Any

# An answer that begins after so many brackets, or characters, is none that a person would look for.
MOST_STARTS = 100
LONGEST = 20_000
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)
BULLET = re.compile(r"(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+(.*)")
MARKUP = " \t\"'`*_\u201c\u201d\u2018\u2019"
# Characters of words that white space stands between; Chinese, Japanese, Thai, Lao and Khmer have none.
_SPACED = r"[^\W\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_START = re.compile(r"[\[{]")
_DECODER = json.JSONDecoder()


def unfenced(text: str) -> str:
    """The text without the lines that open and close blocks of code."""
    return FENCE.sub("", text)


def json_values(text: str) -> Iterator[Any]:
    """The outermost lists and objects of JSON in a text; none of a text in which one is broken or cut off."""
    text = text[:LONGEST].rstrip()
    found, position = [], 0
    for _ in range(MOST_STARTS):
        start = _START.search(text, position)
        if start is None:
            break
        try:
            value, position = _DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            # A bracket of prose; anything else began as JSON and is broken or cut off, and its parts are no answers.
            if text[start.end() : error.pos].strip() or error.msg.startswith("Unterminated"):
                return
            position = start.start() + 1
        except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists in lists
            return
        else:
            found.append(value)
    yield from found


def bullets(text: str) -> list[str]:
    """The items of a list with bullets or numbers, below a line that ends with a colon or none; else nothing."""
    lines = [line.strip() for line in unfenced(text[:LONGEST]).split("\n") if line.strip()]
    if lines and lines[0].endswith((":", "：")) and not BULLET.fullmatch(lines[0]):
        lines = lines[1:]
    items = [BULLET.fullmatch(line) for line in lines]
    return [item[1].strip(MARKUP) for item in items if item] if all(items) else []


def whole_words(text: str) -> str:
    """A pattern of the text where it is no part of a longer word, "non-" before it included."""
    before = rf"(?<!{_SPACED})(?<!\w[-/])" if re.match(_SPACED, text) else ""
    after = rf"(?!{_SPACED})(?![-/]\w)" if re.match(_SPACED, text[-1]) else ""
    return before + r"\s+".join(map(re.escape, text.split())) + after
