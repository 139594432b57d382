"""`hf-fewshot list`: what there is."""

import argparse
import json
from typing import Any


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "list",
        help="benchmarks, methods, metrics, and what each needs",
        description="Lists benchmarks, methods and metrics, what each is for and what it needs.",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the catalogue."""
    from hf_fewshot import catalogue
    from hf_fewshot.registry import SYSTEMS

    if options.json:
        content = {
            "benchmarks": {name: entry._asdict() for name, entry in catalogue.BENCHMARKS.items()},
            "methods": {name: entry._asdict() | {"tasks": tasks(entry)} for name, entry in SYSTEMS.items()},
            "metrics": catalogue.METRICS,
        }
        print(json.dumps(content, indent=1))
        return
    from rich.console import Console

    from hf_fewshot.cli.plain_table import plain, plain_table

    benchmarks = [
        (name, entry.task, ", ".join(entry.configs), entry.needs, entry.about)
        for name, entry in catalogue.BENCHMARKS.items()
    ]
    methods = [(name, ", ".join(tasks(entry)), entry.needs, entry.about) for name, entry in SYSTEMS.items()]
    console = Console()
    for title, heads, rows in (
        ("Benchmarks", ("name", "task", "configurations", "needs", ""), benchmarks),
        ("Methods", ("name", "tasks", "needs", ""), methods),
        ("Metrics", ("name", ""), list(catalogue.METRICS.items())),
    ):
        table = plain_table(heads, title)
        for row in rows:
            table.add_row(*map(plain, row))
        console.print(table)
        console.print()


def tasks(entry: Any) -> list[str]:
    """The tasks that a method fits."""
    from hf_fewshot.registry import TASKS

    return [task for task in TASKS if entry.fits(task)]
