"""Results on the screen: the tables of the report, in a terminal."""

from collections.abc import Iterable
from typing import Any

from hf_fewshot.report.settings import settings
from hf_fewshot.report.table import BASELINE, OURS, Row, table
from hf_fewshot.results.record import Record


def results_tables(records: Iterable[Record]) -> list[Any]:
    """One table per setting, ours first, then what is trivial, then what was published."""
    from rich.table import Table

    shown = []
    for one in map(table, settings(records)):
        measure = one.setting.measure
        grid = Table(title=one.setting.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for head in ("system", "model", f"{measure} %", f"{one.confidence} interval", "runs", "seconds"):
            grid.add_column(head, justify="left" if head in ("system", "model") else "right")
        seconds = [sum(sum(r.seconds.values()) for r in system.records) for system in one.setting.systems]
        for row, spent in zip([row for row in one.rows if row.kind == OURS], seconds, strict=True):
            value, runs = str(row.values[measure]), str(row.n)
            grid.add_row(row.system, row.encoder, value, row.interval, runs, f"{spent:.1f}")
        for row in one.rows:
            if row.kind != OURS and measure in row.values:
                grid.add_row(f"  {row.system}", _origin(row), str(row.values[measure]), style="dim")
        shown.append(grid)
    return shown


def _origin(row: Row) -> str:
    return "trivial" if row.kind == BASELINE else f"published, {row.encoder or 'people'}"
