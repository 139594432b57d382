"""Text of records as plain text: what a terminal, Markdown or HTML would read as its own is shown instead."""

import re
from typing import Any

from hf_fewshot.text.visible import visible

# A single backtick or pipe ends code or a cell; `_` only counts beside a word, `~~` strikes out, `$` begins a formula,
# `&name;` is another character.
_MARKUP = re.compile(r"[\\|<>`*\[\]]|(?<!\w)_|_(?!\w)|~(?=~)|\$|&(?=#?\w+;)")
# What becomes a link by itself.
_LINK = re.compile(r"(?<=:)//|(?<=\bwww)\.|(?<=\w)@(?=\w)", re.IGNORECASE)


def one_line(value: Any) -> str:
    """The text of a value without line breaks and without characters that act."""
    return visible(" ".join(str(value).split()), keep="")


def shortened(value: Any, length: int = 26) -> str:
    """The text on one line, cut to a length that fits beside an axis."""
    text = one_line(value)
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"


def markdown_text(value: Any) -> str:
    """Text without what Markdown or HTML would read as its own, but for addresses."""
    return _MARKUP.sub(r"\\\g<0>", one_line(value))


def markdown_name(value: Any) -> str:
    """A name that somebody chose, as text; an address in it is no link."""
    return _LINK.sub(r"\\\g<0>", markdown_text(value))


def markdown_code(value: Any) -> str:
    """Text as code within a line, also in a cell of a table."""
    text = one_line(value)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if "`" in text[:1] + text[-1:] else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", r"\|")
