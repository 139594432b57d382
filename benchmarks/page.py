"""Makes the tables of docs/performance.md from benchmarks/results: nobody types a number.

    python benchmarks/page.py

What stands between `<!-- results: NAME -->` and `<!-- end -->` is replaced by the table of `results/NAME.json`, if
that is there; the prose around is written by hand.
"""

import json
import re
import textwrap
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER.parent / "docs" / "performance.md"
WIDTH = 119
REGION = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def number(value: float) -> str:
    """Three digits; large whole numbers with commas."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def cell(one: dict[str, Any]) -> str:
    """A value with its spread."""
    if one["low"] is None:
        return number(one["value"])
    return f"{number(one['value'])} ({number(one['low'])} to {number(one['high'])})"


def table(result: dict[str, Any]) -> str:
    """Rows are names, columns what was measured, and beside a column how many times better it is than a peer."""
    found = result["measurements"]
    names = list(dict.fromkeys(one["name"] for one in found))
    columns = []
    for what in dict.fromkeys(one["what"] for one in found):
        own = {one["name"]: one for one in found if one["what"] == what}
        units = {one["unit"] for one in own.values()} - {""}
        cells = {name: cell(one) for name, one in own.items()}
        if len(units) == 1:
            columns.append((f"{what} ({units.pop()})", cells))
        else:
            columns.append((what, {name: f"{cells[name]} {own[name]['unit']}".strip() for name in own}))
        for peer in dict.fromkeys(peer for one in own.values() for peer in one["ratios"]):
            ratios = {name: number(one["ratios"][peer]) for name, one in own.items() if peer in one["ratios"]}
            columns.append((f"times {peer}", ratios))
    lines = [["", *(head for head, _ in columns)], ["---", *("---:" for _ in columns)]]
    lines += [[name, *(cells.get(name, "") for _, cells in columns)] for name in names]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def caption(result: dict[str, Any]) -> str:
    """When and where it was measured, and by which command."""
    machine = result["machine"]
    # Of what was written down from earlier tables, the remark says what is known.
    where = f", {machine['cores']} cores of {machine['cpu']}, load {machine['load']}" if machine else ""
    libraries = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    repeats = {one["repeats"] for one in result["measurements"] if one["low"] is not None}
    spread = "In brackets the lowest and the highest of the repeats" if max(repeats, default=1) > 1 else ""
    parts = [f"`{result['command']}`, {result['date']}{where}", libraries, spread, result["remark"]]
    text = ". ".join(f"{part[:1].upper()}{part[1:]}".rstrip(".") for part in parts if part)
    return textwrap.fill(f"{text}.", WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def made(page: str, results: Path) -> str:
    """The page with the tables of these results."""

    def region(match: re.Match[str]) -> str:
        path = results / f"{match[2]}.json"
        if not path.is_file():
            return match[0]
        result = json.loads(path.read_text(encoding="utf-8"))
        return f"{match[1]}\n{table(result)}\n{caption(result)}\n{match[3]}"

    return REGION.sub(region, page)


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8"), FOLDER / "results"), encoding="utf-8")
    print(f"wrote {PAGE}")
