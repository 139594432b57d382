"""Results on the screen: the tables of the report, in a terminal."""

from collections.abc import Iterable
from typing import Any

from hf_fewshot.cli.plain_table import plain, plain_table
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import BASELINE, OURS, Row, table


def results_tables(records: Iterable[Record]) -> list[Any]:
    """One table per setting, ours first, then what is trivial, then what was published."""
    shown = []
    for one in map(table, settings(records)):
        measure = one.setting.measure
        heads = ("system", "model", f"{measure} %", f"{one.confidence} interval", "runs", "seconds")
        grid = plain_table(heads, one.setting.title, right=heads[2:])
        seconds = [sum(sum(r.seconds.values()) for r in system.records) for system in one.setting.systems]
        for row, spent in zip([row for row in one.rows if row.kind == OURS], seconds, strict=True):
            cells = (row.system, row.encoder, str(row.values[measure]), row.interval, str(row.n), f"{spent:.1f}")
            grid.add_row(*map(plain, cells))
        for row in one.rows:
            if row.kind != OURS and measure in row.values:
                grid.add_row(*map(plain, (f"  {row.system}", _origin(row), str(row.values[measure]))), style="dim")
        shown.append(grid)
    return shown


def _origin(row: Row) -> str:
    return "trivial" if row.kind == BASELINE else f"published, {row.encoder or 'people'}"
