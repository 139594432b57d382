"""`hf-fewshot list`: what there is, and which options a method or a benchmark takes."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hf_fewshot.cli.catalogue import (
    benchmark_entries,
    benchmark_entry,
    method_entry,
    metric_entries,
    recipe_entries,
    tasks,
)
from hf_fewshot.cli.completion import completed, methods_and_benchmarks
from hf_fewshot.cli.options import add_module
from hf_fewshot.cli.typed_names import OWN
from hf_fewshot.method_names import method_named
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, unknown


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "list",
        help="benchmarks, methods, metrics, recipes, and what each needs; options of one",
        description="Lists benchmarks, methods, metrics and recipes, what each is for and what it needs; of a method "
        "that is named, the options of --method-option and the arguments of --training that are its own; of a "
        "benchmark, the options of its data.",
    )
    named = command.add_argument("name", nargs="?", help="a method or a benchmark, to list its options")
    completed(named, methods_and_benchmarks)
    command.add_argument("--json", action="store_true", help="print JSON")
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints all there is, or the options of one method or benchmark."""
    name = None if options.name is None else _known(options.name)
    if name is None:
        content = {
            "benchmarks": benchmark_entries(),
            "methods": {name: entry._asdict() | {"tasks": tasks(name)} for name, entry in SYSTEMS.items()},
            "metrics": metric_entries(),
            "recipes": recipe_entries(),
        }
    else:
        content = benchmark_entry(name) if name in BENCHMARKS else method_entry(name)
    if options.json:
        print(json.dumps(content, indent=1, default=str))
    elif name is None:
        _print_all(content)
    elif name in BENCHMARKS:
        _print_benchmark(name, content)
    else:
        _print_method(name, content)


def _known(typed: str) -> str:
    """The name of a method or benchmark that was typed."""
    name = typed if typed in BENCHMARKS else method_named(typed)
    if name not in BENCHMARKS and name not in SYSTEMS:
        raise ValueError(f"{unknown('method or benchmark', typed, [*SYSTEMS, *BENCHMARKS])} {OWN}")
    return name


def _print_all(content: dict[str, Any]) -> None:
    benchmarks = [
        (name, entry["task"], ", ".join(entry["configs"]), entry["needs"], entry["about"])
        for name, entry in content["benchmarks"].items()
    ]
    methods = [
        (name, ", ".join(entry["tasks"]), entry["needs"], entry["about"]) for name, entry in content["methods"].items()
    ]
    _print_table("Benchmarks", ("name", "task", "configurations", "needs", ""), benchmarks)
    _print_table("Methods", ("name", "tasks", "needs", ""), methods)
    _print_table("Metrics", ("name", ""), list(content["metrics"].items()))
    recipes = [
        (name, str(one["runs"]), str(one["trained"]), one["takes"], one["title"])
        for name, one in content["recipes"].items()
    ]
    _print_table("Recipes (hf-fewshot run NAME)", ("name", "runs", "trained", "takes", ""), recipes)


def _print_method(name: str, content: dict[str, Any]) -> None:
    needs = f" Needs: {content['needs']}." if content["needs"] else ""
    print(f"{name}: {content['about']}. For {', '.join(content['tasks'])}.{needs}\n")
    if not content["options"]:
        print("It has no options.\n")
    _print_options("Options (--method-option)", content["options"])
    if "training" in content:
        _print_options("Training (--training)", content["training"])
        print("Training takes every argument of transformers.TrainingArguments, too.")


def _print_benchmark(name: str, content: dict[str, Any]) -> None:
    print(f"{name}: {content['about']}. For {content['task']}. Needs: {content['needs']}.")
    print(f"Configurations: {', '.join(content['configs'])}.\n")
    _print_options("Options of its data (-o, some have flags of their own)", content["options"])


def _print_options(title: str, options: Sequence[Mapping[str, Any]]) -> None:
    if options:
        lines = [(one["name"], _shown(one["default"]), f"{one['help']} ({one['type']})") for one in options]
        _print_table(title, ("name", "default", ""), lines)


def _shown(default: Any) -> str:
    return json.dumps(default, default=str)


def _print_table(title: str, heads: tuple[str, ...], lines: Iterable[Sequence[str]]) -> None:
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain, plain_table

    screen = console()
    table = plain_table(heads, title, whole=["name"])
    for line in lines:
        table.add_row(*map(plain, line))
    screen.print(table)
    screen.print()
