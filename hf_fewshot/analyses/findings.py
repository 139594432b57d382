"""What was found out about data or predictions, as JSON that reports can show."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.analyses.charts import KINDS, Chart
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.registry import unknown
from hf_fewshot.text.short_value import short

FORMAT = "hf_fewshot/findings"
VERSION = 1
# Those of the largest benchmark take a thousandth of it.
MAX_BYTES = 1 << 28

Cell = str | int | float | None


@dataclass(frozen=True)
class Sheet:
    """A table.

    Args:
        title: what it shows.
        heads: of the columns.
        rows: texts and numbers; None where there is nothing to say.
        note: what must be known to read it.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.heads) for row in self.rows):
            raise ValueError(f"expected {len(self.heads)} cells in each row, as many as heads")

    @classmethod
    def of(cls, title: str, heads: Iterable[str], rows: Iterable[Iterable[Cell]], note: str = "") -> "Sheet":
        """A table from any lists."""
        return cls(title, tuple(heads), tuple(map(tuple, rows)), note)

    def without(self, head: str) -> "Sheet":
        """The table without a column."""
        place = self.heads.index(head)
        rows = (row[:place] + row[place + 1 :] for row in self.rows)
        return Sheet.of(self.title, self.heads[:place] + self.heads[place + 1 :], rows, self.note)

    def column(self, head: str) -> list[Cell]:
        """All cells below a head."""
        place = self.heads.index(head)
        return [row[place] for row in self.rows]


@dataclass(frozen=True)
class Findings:
    """Tables and charts about one thing.

    Args:
        benchmark: whose data it is.
        title: what they are about.
    """

    benchmark: str
    title: str
    sheets: tuple[Sheet, ...]
    charts: tuple[Chart, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values; a chart says its kind."""
        charts = [{"kind": chart.kind, **asdict(chart)} for chart in self.charts]
        sheets = [asdict(sheet) for sheet in self.sheets]
        head = {"format": FORMAT, "version": VERSION, "benchmark": self.benchmark, "title": self.title}
        return {**head, "sheets": sheets, "charts": charts}


def read_findings(path: str | Path) -> list[Findings]:
    """The findings of a file: one object as `to_json` makes it, or a list of them."""
    path = Path(path)
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path} is larger than {MAX_BYTES:,} bytes: it is no file of findings.")
    try:
        content = strict_json(path.read_bytes())
        return [_from_json(one) for one in (content if isinstance(content, list) else [content])]
    except ValueError as error:
        raise ValueError(
            f"{path} has no findings: {str(error).rstrip('.')}. Make it again, by hf-fewshot stats, analyse or "
            "similarity with --json."
        ) from error


def _from_json(content: Any) -> Findings:
    if not isinstance(content, dict) or (content.get("format"), content.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"expected an object of format {FORMAT!r}, version {VERSION}, got {short(content)}.")
    kept = {name: value for name, value in content.items() if name not in ("format", "version", "sheets", "charts")}
    listed: dict[str, Any] = {name: content.get(name) for name in ("sheets", "charts")}
    for name, value in listed.items():
        if not isinstance(value, list):
            raise ValueError(f"{name} must be a list, got {short(value)}.")
    sheets = tuple(_sheet(sheet) for sheet in listed["sheets"])
    return from_mapping(Findings, kept, "It", sheets=sheets, charts=tuple(map(_chart, listed["charts"])))


def _sheet(content: Any) -> Sheet:
    sheet = from_mapping(Sheet, content, "A table")
    return Sheet.of(sheet.title, sheet.heads, sheet.rows, sheet.note)


def _chart(content: Any) -> Chart:
    kind = content.get("kind") if isinstance(content, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise unknown("kind of chart", kind, KINDS)
    return from_mapping(KINDS[kind], {name: value for name, value in content.items() if name != "kind"}, "A chart")
