"""`hf-fewshot list`: what there is, and which options a method takes."""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import completed, methods
from hf_fewshot.cli.options import add_module
from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "list",
        help="benchmarks, methods, metrics, recipes, and what each needs; options of a method",
        description="Lists benchmarks, methods, metrics and recipes, what each is for and what it needs; of a method "
        "that is named, the options of --method-option and the arguments of --training that are its own.",
    )
    completed(command.add_argument("method", nargs="?", help="a method, to list its options"), methods)
    command.add_argument("--json", action="store_true", help="print JSON")
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints all there is, or the options of one method."""
    if options.method is not None:
        content = method_entry(options.method)
    else:
        content = {
            "benchmarks": benchmark_entries(),
            "methods": {name: entry._asdict() | {"tasks": tasks(name)} for name, entry in SYSTEMS.items()},
            "metrics": metric_entries(),
            "recipes": recipe_entries(),
        }
    if options.json:
        print(json.dumps(content, indent=1, default=str))
    elif options.method is not None:
        _print_method(options.method, content)
    else:
        _print_all(content)


def method_entry(name: str) -> dict[str, Any]:
    """What a method is, its options, and the arguments of its training beside those of every Trainer."""
    from hf_fewshot.registry import resolve
    from hf_fewshot.systems.options import described_options, system_class

    system = system_class(name)
    found: dict[str, Any] = {**SYSTEMS[name]._asdict(), "tasks": tasks(name)}
    found["options"] = [option._asdict() for option in described_options(system.options(name))]
    by = system.trained_by(name)
    if by is not None:
        arguments = resolve(by.arguments)
        own = {
            field
            for parent in arguments.__mro__[:-1]
            if not _is_of_transformers(parent)
            for field in parent.__annotations__
        }
        described = [option._asdict() for option in described_options(arguments)]
        found["training"] = [option for option in described if option["name"] in own]
    return found


def _is_of_transformers(kind: type) -> bool:
    return kind.__module__.startswith("transformers.")


def tasks(name: str) -> list[str]:
    """The tasks that a method fits."""
    from hf_fewshot.systems.fitting import fits
    from hf_fewshot.tasks import usable_tasks

    return [task.name for task in usable_tasks() if fits(name, task.name)]


def benchmark_entries() -> dict[str, dict[str, Any]]:
    """What the builder of each benchmark says of it."""
    from hf_fewshot.data.benchmark import builder_of

    found: dict[str, dict[str, Any]] = {}
    for name in BENCHMARKS:
        try:
            builder = builder_of(name)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one of others, the rest is listed
            found[name] = {"task": "", "configs": [], "needs": "", "about": f"cannot be used: {error}"}
            continue
        configs = list(builder.builder_configs)
        found[name] = {"task": builder.TASK, "configs": configs, "needs": builder.NEEDS, "about": builder.ABOUT}
    return found


def metric_entries() -> dict[str, str]:
    """What the card of each metric says of it; other names for the same are named with it."""
    from huggingface_hub import metadata_load

    from hf_fewshot.registration import metric_folder

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


def recipe_entries() -> dict[str, dict[str, Any]]:
    """What the recipes of the package are, and what they take."""
    from hf_fewshot.runs.recipe import load_recipe
    from hf_fewshot.runs.recipe_names import recipe_cost, recipe_paths

    found = {}
    for name, path in recipe_paths().items():
        recipe = load_recipe(path)
        found[name] = {"title": recipe.title, "runs": recipe.n_runs, "takes": recipe_cost(name)}
    return found


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
    recipes = [(name, str(one["runs"]), one["takes"], one["title"]) for name, one in content["recipes"].items()]
    _print_table("Recipes (hf-fewshot run NAME)", ("name", "runs", "takes", ""), recipes)


def _print_method(name: str, content: dict[str, Any]) -> None:
    needs = f" Needs: {content['needs']}." if content["needs"] else ""
    print(f"{name}: {content['about']}. For {', '.join(content['tasks'])}.{needs}\n")
    heads = ("name", "default", "")
    for part, title in (("options", "Options (--method-option)"), ("training", "Training (--training)")):
        if content.get(part):
            lines = [(one["name"], _shown(one["default"]), f"{one['help']} ({one['type']})") for one in content[part]]
            _print_table(title, heads, lines)
        elif part == "options":
            print("It has no options.\n")
    if "training" in content:
        print("Training takes every argument of transformers.TrainingArguments, too.")


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
