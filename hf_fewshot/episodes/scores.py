"""Scores by their names."""

from html import escape
from typing import Any


class Scores(dict[str, Any]):
    """Scores by their names, shown in short: with four digits, and those of single units and classes only counted."""

    def __repr__(self) -> str:
        shown = [f"{name!r}: {_shown(value)}" for name, value in self.of_all.items()]
        n_more = len(self) - len(shown)
        return f"{{{', '.join([*shown, *([f'... {n_more} more'] if n_more else [])])}}}"

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{escape(name)}</th><td>{_shown(value)}</td></tr>" for name, value in self.of_all.items())
        return f"<table>{''.join(rows)}</table>"

    @property
    def of_all(self) -> dict[str, Any]:
        """The scores of everything together, without those of single units and classes."""
        return {name: value for name, value in self.items() if "/" not in name}


def _shown(value: float) -> str:
    return f"{value:.4f}" if isinstance(value, float) and not value.is_integer() else f"{value:g}"
