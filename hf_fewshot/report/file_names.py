"""The names of files with plots and tables: readable, with a short hash, so that no two have the same."""

import hashlib
import re
from collections.abc import Sequence

from hf_fewshot.tables.settings import Setting


def plot_name(setting: Setting, kind: str, without: str = "") -> str:
    """Of a plot of a setting.

    Args:
        kind: of plot.
        without: an option of the data that is an axis.
    """
    parts = [setting.name, *setting.details(without=[without]), setting.measure, kind]
    return _named("_".join(parts), parts)


def table_name(benchmark: str, title: str) -> str:
    """Of a table with this title."""
    return _named(title, (benchmark, title))


def _named(text: str, parts: Sequence[str]) -> str:
    readable = re.sub(r"[^\w=.+-]+", "-", text)[:120].strip("-")
    readable = readable.encode()[:200].decode(errors="ignore")  # file systems count bytes
    return f"{readable}_{hashlib.sha256(repr(parts).encode()).hexdigest()[:6]}"
