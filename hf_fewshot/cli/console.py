"""Where tables are printed."""

import os
from typing import Any

# Wider than any table: what reads a pipe or a file has no edge at which to cut.
UNBOUNDED = 10_000


def console(**options: Any) -> Any:
    """A console of rich: as wide as the terminal or `COLUMNS`; in a pipe or a file, tables are as wide as they are."""
    from rich.console import Console

    made = Console(**options)
    if not made.is_terminal and not os.environ.get("COLUMNS", "").isdecimal():
        made.width = UNBOUNDED
    return made
