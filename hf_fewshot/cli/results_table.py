"""Results on the screen: a row per system, beside trivial baselines and published numbers."""

from collections.abc import Iterable, Sequence
from typing import Any

from hf_fewshot.published import published_beside
from hf_fewshot.results.folder import cells
from hf_fewshot.results.record import Record
from hf_fewshot.statistics import summary


def results_tables(records: Iterable[Record]) -> list[Any]:
    """One table per setting, ours first, then what is trivial, then what was published."""
    from rich.table import Table

    settings: dict[tuple[str, ...], list[list[Record]]] = {}
    for own in cells(records):
        settings.setdefault(own[0].run.setting, []).append(own)
    tables = []
    for (benchmark, split, options), groups in settings.items():
        title = " ".join(filter(None, (benchmark, split, f"({options})" if options else "")))
        table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        first = groups[0][0]
        for head in ("system", "model", f"{first.measure} %", "std", "95 % interval", "runs", "seconds"):
            table.add_column(head, justify="left" if head in ("system", "model") else "right")
        for own in groups:
            table.add_row(*row(own))
        for name, value in baselines(groups).items():
            table.add_row(f"  {name.replace('_', ' ')}", "trivial", f"{100 * value:.2f}", style="dim")
        for found in published_beside(first):
            if first.measure in found.scores:
                table.add_row(
                    f"  {found.system}",
                    f"published, {found.encoder}",
                    f"{found.scores[first.measure]:.2f}",
                    style="dim",
                )
        tables.append(table)
    return tables


def row(records: Sequence[Record]) -> list[str]:
    """The cells of a system in a setting."""
    found = summary(records)
    interval = "" if found.low is None or found.high is None else f"{100 * found.low:.2f} to {100 * found.high:.2f}"
    return [
        records[0].run.system,
        records[0].run.model or "",
        f"{100 * found.mean:.2f}",
        "" if found.std is None else f"{100 * found.std:.2f}",
        interval,
        str(found.n),
        f"{sum(sum(record.seconds.values()) for record in records):.1f}",
    ]


def baselines(groups: Sequence[Sequence[Record]]) -> dict[str, float]:
    """The mean of each trivial baseline over the draws of a setting, but those that were run as systems."""
    draws = {record.episodes["fingerprint"]: record.baselines for own in groups for record in own}
    run = {own[0].run.method for own in groups}
    names = [name for name in next(iter(draws.values())) if name not in run]
    return {name: sum(found[name] for found in draws.values()) / len(draws) for name in names}
