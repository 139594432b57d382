"""`hf-fewshot list`: what there is."""

import argparse
import json
from pathlib import Path
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
    """Prints all there is."""
    from hf_fewshot.registry import SYSTEMS

    benchmarks, metrics = benchmark_entries(), metric_entries()
    if options.json:
        content = {
            "benchmarks": benchmarks,
            "methods": {name: entry._asdict() | {"tasks": tasks(entry)} for name, entry in SYSTEMS.items()},
            "metrics": metrics,
        }
        print(json.dumps(content, indent=1))
        return
    from rich.console import Console

    from hf_fewshot.cli.plain_table import plain, plain_table

    shown = [
        (name, entry["task"], ", ".join(entry["configs"]), entry["needs"], entry["about"])
        for name, entry in benchmarks.items()
    ]
    methods = [(name, ", ".join(tasks(entry)), entry.needs, entry.about) for name, entry in SYSTEMS.items()]
    console = Console()
    for title, heads, rows in (
        ("Benchmarks", ("name", "task", "configurations", "needs", ""), shown),
        ("Methods", ("name", "tasks", "needs", ""), methods),
        ("Metrics", ("name", ""), list(metrics.items())),
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


def benchmark_entries() -> dict[str, dict[str, Any]]:
    """What the builder of each benchmark says of it."""
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.registry import BENCHMARKS

    builders = {name: builder_of(name) for name in BENCHMARKS}
    return {
        name: {
            "task": builder.TASK,
            "configs": list(builder.builder_configs),
            "needs": builder.NEEDS,
            "about": builder.ABOUT,
        }
        for name, builder in builders.items()
    }


def metric_entries() -> dict[str, str]:
    """What the card of each metric says of it; other names for the same are named with it."""
    from huggingface_hub import metadata_load

    from hf_fewshot.registration import metric_folder
    from hf_fewshot.registry import METRICS

    folders: dict[Path, list[str]] = {}
    for name in METRICS:
        folders.setdefault(metric_folder(name), []).append(name)
    found = {}
    for folder, names in folders.items():
        own = folder.name if folder.name in names else names[0]
        card = folder / "README.md"
        about = str(((metadata_load(card) if card.is_file() else None) or {}).get("description", "")).strip()
        others = ", ".join(name for name in names if name != own)
        found[own] = f"{about} Also: {others}.".strip() if others else about
    return found
