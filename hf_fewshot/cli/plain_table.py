"""Tables in a terminal whose cells are plain text: brackets are no markup, control characters are shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def plain_table(
    heads: Sequence[str],
    title: str = "",
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
    show_header: bool = True,
) -> "Table":
    """An empty table.

    Args:
        heads: of the columns.
        title: above the table; none where it is empty.
        right: the columns that are aligned to the right.
        whole: the columns that are never cut.
        show_header: whether the heads are shown.
    """
    from rich.table import Table

    table = Table(
        title=plain(title) if title else None,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=None,
        pad_edge=False,
        show_header=show_header,
    )
    for head in heads:
        table.add_column(plain(head), justify="right" if head in right else "left", no_wrap=head in whole)
    return table


def plain(text: str) -> "Text":
    """Text of anyone, for a cell or a line."""
    from rich.text import Text

    from hf_fewshot.text.visible import visible

    return Text(visible(text))
