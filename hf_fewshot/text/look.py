"""How pages and notebooks look: style sheets for colours, and for marked spans in sentences."""

from pathlib import Path

# The colours of text, ground and series, as variables of the root, light and dark.
PALETTE = Path(__file__).with_name("palette.css")
# `mark.c1` to `mark.c8` for spans of a class, `.missed` and `.wrong` ones, `.tag` for labels behind them.
MARKS = Path(__file__).with_name("marks.css")
