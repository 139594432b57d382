"""Results on the screen: the tables of the report, in a terminal."""

from collections.abc import Iterable
from typing import Any

from hf_fewshot.cli.plain_table import plain, plain_table
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.table import ALL_MODELS, BASELINE, OURS, TableLine, table


def results_tables(records: Iterable[Record]) -> list[Any]:
    """One table per setting, ours first, then what is trivial, then what was published."""
    shown = []
    for one in map(table, settings(records)):
        measure = one.setting.measure
        heads = ("system", "model", f"{measure} %", f"{one.confidence} interval", "runs", "seconds")
        grid = plain_table(heads, one.setting.title, right=heads[2:])
        for system, line in one.ours:
            spent = sum(sum(record.seconds.values()) for record in system.records)
            cells = (line.system, line.encoder, str(line.values[measure]), line.interval, str(line.n), f"{spent:.1f}")
            grid.add_row(*map(plain, cells))
        for line in one.lines:
            if line.kind != OURS and measure in line.values:
                grid.add_row(*map(plain, (f"  {line.system}", _origin(line), str(line.values[measure]))), style="dim")
        if one.few_rows:
            grid.caption = plain(one.few_rows)
        shown.append(grid)
    return shown


def _origin(line: TableLine) -> str:
    if line.kind == ALL_MODELS:
        return line.encoder
    return "trivial" if line.kind == BASELINE else f"published, {line.encoder or 'people'}"
