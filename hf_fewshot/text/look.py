"""How pages and notebooks look: colours, and marked spans in sentences."""

from pathlib import Path


def palette() -> str:
    """CSS: the colours of text, ground and series, as variables of the root, light and dark."""
    return _read("palette.css")


def marks() -> str:
    """CSS: `mark.c1` to `mark.c8` for spans of a class, `.missed` and `.wrong` ones, `.tag` for labels behind them."""
    return _read("marks.css")


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
