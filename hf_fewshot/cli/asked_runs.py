"""The runs that a command line asks for: of recipes with its changes, or its own."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import benchmarks, completed, methods, models
from hf_fewshot.cli.completion import recipes as recipe_names
from hf_fewshot.cli.lists import with_lists
from hf_fewshot.cli.options import add_data, add_module, add_pairs, data_options, once, positive, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.registry import suggestion


def add_asked(command: argparse.ArgumentParser) -> None:
    """Arguments that say which runs are meant, and where their results are."""
    named = command.add_argument(
        "recipes",
        nargs="*",
        type=Path,
        help="names of recipes (hf-fewshot list), or YAML files; else give --benchmark and --method",
    )
    completed(named, recipe_names)
    completed(command.add_argument("--benchmark", help="see hf-fewshot list"), benchmarks)
    add_data(command)
    command.add_argument("--split", help="what is predicted (default: test)")
    command.add_argument("--draws", type=positive, help="with --data: so many draws of examples to learn from")
    completed(command.add_argument("--method", help="see hf-fewshot list"), methods)
    completed(command.add_argument("--model", help="encoder or language model; replaces that of a recipe"), models)
    command.add_argument("--seeds", type=int, nargs="+", help="seeds of training (default: 0, or those of the recipe)")
    add_pairs(command, "--method-option", help="an option of the method, such as tau=0.32 or layers=4")
    add_pairs(command, "--training", help="an argument of the trainer, such as max_steps=500; trains the model")
    command.add_argument("--output", type=Path, default=Path("results"), help="folder of results (default: results)")
    add_module(command)
    command.add_argument("--task-index", type=int, help="only the run with this number")
    command.add_argument(
        "--only", nargs="+", metavar="RUN", help="only the runs with these names, those of their folders"
    )


def planned(options: argparse.Namespace) -> list[Any]:
    """The runs that are asked for; whatever is wrong with what one of them asks for is an error."""
    from hf_fewshot.runs.planning import Checks, refuse

    runs, problems = looked_at(options, Checks(source(options).get("data_dir")))
    refuse(problems)
    return chosen(runs, options)


def looked_at(options: argparse.Namespace, checks: Any) -> tuple[list[Any], list[str]]:
    """The runs of recipes with the changes of the command line, or those of the command line alone.

    And all that is wrong with them, as far as it shows without data and models.
    """
    found, problems = recipes(options)
    runs = [run for recipe in found for run in changed(recipe, options).runs()]
    return runs, [*problems, *(problem for run in runs for problem in checks.problems(run))]


def chosen(runs: list[Any], options: argparse.Namespace) -> list[Any]:
    """All runs, or those that are asked for by their names or number."""
    if options.only is not None:
        return _named(runs, options)
    if options.task_index is None:
        return runs
    if not 0 <= options.task_index < len(runs):
        raise ValueError(f"--task-index {options.task_index}, but there are runs 0 to {len(runs) - 1}.")
    return [runs[options.task_index]]


def _named(runs: list[Any], options: argparse.Namespace) -> list[Any]:
    if options.task_index is not None:
        raise ValueError("--only and --task-index exclude each other. Give one of them.")
    names = [run.name for run in runs]
    for name in options.only:
        if name not in names:
            raise ValueError(
                f"--only {name}: none of the {len(runs)} runs has this name. A name stands for all that a run asks "
                f"for, so that a recipe that has changed has other ones. {suggestion(name, names)}"
            )
    return [run for run in runs if run.name in options.only]


def recipes(options: argparse.Namespace) -> tuple[list[Any], list[str]]:
    """The recipes that are named, or what the command line says, as one; and what is wrong with their files."""
    from hf_fewshot.runs.recipe import PlannedSystem, Recipe, RecipeError, load_recipe
    from hf_fewshot.runs.recipe_names import recipe_file

    if not options.recipes:
        if options.data is not None or options.task is not None:
            require_benchmark(options)
        if options.benchmark is None or options.method is None:
            raise ValueError(
                "Give a recipe, or --benchmark and --method, of data of your own --data, --task and --method. "
                "hf-fewshot list shows what there is."
            )
        return [Recipe(options.benchmark, {options.method: PlannedSystem(options.method)}, config=options.config)], []
    for name in ("benchmark", "task", "config", "method"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} contradicts {options.recipes[0]}, which names it. Give one of them.")
    found, problems = [], []
    for path in options.recipes:
        try:
            found.append(load_recipe(recipe_file(path)))
        except RecipeError as error:
            problems += error.problems
            found += [] if error.rest is None else [error.rest]
        except ValueError as error:
            problems.append(str(error))
    return found, problems


def of_method(method: str, options: argparse.Namespace) -> dict[str, Any]:
    """What was typed of its options."""
    from hf_fewshot.files.option_types import option_types
    from hf_fewshot.systems.options import system_class

    typed = once(options.method_option)
    return with_lists(typed, option_types(system_class(method).options(method))) if typed else typed


def of_training(method: str, options: argparse.Namespace) -> dict[str, Any]:
    """What was typed of its training; of several methods, nothing where there is nothing to train."""
    from hf_fewshot.files.option_types import option_types
    from hf_fewshot.registry import resolve
    from hf_fewshot.systems.options import system_class

    typed = once(options.training)
    by = system_class(method).trained_by(method) if typed else None
    if by is None:
        # To name one method and a training that it has not is a mistake; of a recipe it is for those that have one.
        return {} if options.recipes else typed
    return with_lists(typed, option_types(resolve(by.arguments)))


def changed(recipe: Any, options: argparse.Namespace) -> Any:
    """A recipe with what the command line says: it comes before what the recipe says."""
    given = data_options(options, recipe.benchmark)
    draws = {} if options.draws is None else {"draw": list(range(options.draws))}
    # What the command line fixes is no longer a column: settings that differed in it alone are one.
    columns = [{key: value for key, value in setting.items() if key not in given} for setting in recipe.settings]
    settings = [column for number, column in enumerate(columns) if column not in columns[:number]]
    systems = {}
    for name, system in recipe.systems.items():
        training = of_training(system.method, options)
        systems[name] = replace(
            system,
            model=None if options.model else system.model,
            seeds=None if options.seeds else system.seeds,
            options={**system.options, **of_method(system.method, options)},
            training={**(system.training or {}), **training} if training else system.training,
        )
    return replace(
        recipe,
        systems=systems,
        settings=settings,
        data={**recipe.data, **given},
        draws={**{name: values for name, values in recipe.draws.items() if name not in given}, **draws},
        split=options.split or recipe.split,
        model=options.model or recipe.model,
        seeds=options.seeds or recipe.seeds,
    )
