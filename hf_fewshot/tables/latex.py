"""Grids as LaTeX tables in the manner of booktabs, and text for LaTeX."""

import re
from collections.abc import Iterable
from itertools import pairwise

from hf_fewshot.tables.grid import Cell, Grid, Interval, Probability, Score
from hf_fewshot.tables.measures import shown
from hf_fewshot.tables.pairs import BEST, TIED, shown_p
from hf_fewshot.tables.plain import one_line

HEAD = "% Needs \\usepackage{booktabs}; text in Chinese needs XeLaTeX or LuaLaTeX with ctex.\n"
_COMMANDS = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # behind \\ it would be a length
    "]": "{]}",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{MINUS SIGN}": "$-$",
    "\N{ALMOST EQUAL TO}": r"$\approx$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{HORIZONTAL ELLIPSIS}": r"\dots{}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _COMMANDS)))


def latex_text(value: object) -> str:
    """Text that LaTeX shows as it is."""
    return _SPECIAL.sub(lambda found: _COMMANDS[found[0]], one_line(value))


def latex_table(grid: Grid) -> str:
    """A table with caption, notes and legend, ready for \\input."""
    columns = "".join("r" if grid.is_numeric(place) else "l" for place in range(len(grid.heads)))
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(grid.title)}.}}", r"\small"]
    lines += [
        rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"\toprule",
        _row(map(latex_text, grid.heads)),
        r"\midrule",
    ]
    changes = [one != other for one, other in pairwise(grid.sections)] or [False] * len(grid.rows)
    for row, is_new in zip(grid.rows, [False, *changes], strict=False):
        lines += [r"\midrule"] if is_new else []
        lines.append(_row(map(_cell, row)))
    lines += [r"\bottomrule", r"\end{tabular}"]
    below = [rf"\textsuperscript{{{number}}}~{latex_text(note)}" for number, note in grid.notes]
    below += [latex_text(grid.legend)] if grid.legend else []
    if below:
        lines += [
            r"\par\smallskip",
            r"\begin{minipage}{\linewidth}\footnotesize",
            " \\\\\n".join(below),
            r"\end{minipage}",
        ]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    if isinstance(cell, Score):
        spread = "" if cell.value.std is None else rf" {{\scriptsize $\pm$ {shown(cell.value.std)}}}"
        mean = latex_text(shown(cell.value.mean))
        if cell.standing == BEST:
            mean = rf"\textbf{{{mean}}}"
        elif cell.standing:
            mean += r"$^{\approx}$" if cell.standing == TIED else r"\textsuperscript{?}"
        return mean + spread
    if isinstance(cell, Interval):
        return latex_text(cell.text)
    if isinstance(cell, Probability):
        return latex_text(shown_p(cell.value))
    if isinstance(cell, float):
        return latex_text(shown(cell, 3 if abs(cell) < 1 else 2))
    return "" if cell is None else latex_text(cell)
