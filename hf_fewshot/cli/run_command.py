"""`hf-fewshot run`: one method, or all runs of a recipe."""

import argparse
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from hf_fewshot.cli.fault import told
from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import add_data, add_module, add_pairs, data_options, import_module, once, positive, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.cli.parts import run_parts, stretch
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

EPILOG = """\
examples:
  hf-fewshot run --benchmark few_nerd --config inter --n-way 5 --shots 1 --n-episodes 100 --sample \\
      --method structshot --model all-MiniLM-L6-v2 --method-option layers=4 --method-option tau=0.32
  hf-fewshot run --data intents.csv --task classification --text sentence --label intent --shots 5 --draws 5 \\
      --method proto --model all-MiniLM-L6-v2                                  # your own labels: docs/own_data.md
  hf-fewshot run recipes/few_nerd_inter.yaml --dry-run
  hf-fewshot run recipes/few_nerd_inter.yaml --model all-MiniLM-L6-v2 --sample --n-episodes 20 --seeds 0
  accelerate launch -m hf_fewshot.cli run recipes/few_nerd_inter.yaml          # several GPUs or processes
  hf-fewshot run recipes/few_nerd_inter.yaml --task-index $SLURM_ARRAY_TASK_ID # one run of a job array
  hf-fewshot run recipes/few_nerd_inter.yaml --task-index 3 --episodes 0:2500  # a part of one run: hf-fewshot merge

Each run has a folder in --output with its predictions and, once it is done, its record. The same command runs what is
missing and goes on where it was interrupted. Models: a Hub id, a folder, or an embedded model (hf-fewshot doctor)."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "run",
        help="run a method on a benchmark, or a recipe: a whole table of a paper",
        description="Runs a method, or everything a recipe names, and prints the scores with confidence intervals.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("recipes", nargs="*", type=Path, help="YAML files; else give --benchmark and --method")
    command.add_argument("--benchmark", help="see hf-fewshot list")
    add_data(command)
    command.add_argument("--split", help="what is predicted (default: test)")
    command.add_argument("--draws", type=positive, help="with --data: so many draws of examples to learn from")
    command.add_argument("--method", help="see hf-fewshot list")
    command.add_argument("--model", help="encoder or language model; replaces that of a recipe")
    command.add_argument("--seeds", type=int, nargs="+", help="seeds of training (default: 0, or those of the recipe)")
    add_pairs(command, "--method-option", help="an option of the method, such as tau=0.32 or layers=4")
    add_pairs(command, "--training", help="an argument of the trainer, such as max_steps=500; trains the model")
    command.add_argument("--output", type=Path, default=Path("results"), help="folder of results (default: results)")
    command.add_argument(
        "--again",
        action="store_true",
        help="make finished runs again whose data, code or files have changed; the results before are kept in "
        "OUTPUT/earlier",
    )
    command.add_argument("--no-models", action="store_true", help="delete trained models when all is done")
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="check everything, run nothing: print what would run, and how long it may take",
    )
    add_module(command)
    command.add_argument("--json", action="store_true", help="print the scores as JSON instead of tables")
    command.add_argument(
        "--episodes", type=stretch, metavar="A:B", help="only episodes A to B - 1, for hf-fewshot merge"
    )
    command.add_argument("--task-index", type=int, help="only the run with this number, for job arrays")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Runs what is missing."""
    import_module(options)
    if options.dry_run:
        dry_run(options)
        return
    runs = planned(options)
    if options.episodes is not None:
        run_parts(runs, options)
        return
    import datasets
    import transformers
    from accelerate import Accelerator

    from hf_fewshot.cli.answer_counts import answer_lines
    from hf_fewshot.cli.live_table import LiveTable
    from hf_fewshot.runs.execution import execute, usable
    from hf_fewshot.systems.training import FOLDER

    datasets.disable_progress_bars()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    accelerator = Accelerator()
    failures = []
    with LiveTable(runs, shown=accelerator.is_main_process and not options.json) as table:
        for one in runs:
            table.begin(one)
            try:
                read = usable(one, options.output, source(options), options.again)
                record = read or execute(
                    one,
                    options.output,
                    source=source(options),
                    accelerator=accelerator,
                    progress=table.shows_progress and accelerator.is_main_process,
                    command=options.command_line,
                    again=options.again,
                )
            except Exception as error:  # whatever it is, the other runs go on
                if len(runs) == 1:
                    raise
                failures.append(f"{one.name}: {told(error, command=options.command_line, debug=options.debug)}")
                table.failed(one)
            else:
                table.done(record, was_read=read is not None)
    if options.json and accelerator.is_main_process:
        results = [described(record, options.output, record in table.read) for record in table.records]
        print(json.dumps(results))
    elif accelerator.is_main_process:
        for line in answer_lines(table.records):
            print(visible(redacted(line), keep=""))
    if options.no_models and not failures and accelerator.is_main_process:
        shutil.rmtree(options.output / FOLDER, ignore_errors=True)
    if accelerator.num_processes > 1:
        accelerator.end_training()  # a process that ends while another still talks to it may take it down
    if failures:
        raise CommandError(f"{len(failures)} of {len(runs)} runs failed:\n  " + "\n  ".join(failures))


def described(record: Any, output: Path, was_read: bool) -> dict[str, Any]:
    """A record in short, and whether it was there already."""
    return {
        "folder": str(output / record.run.name),
        "system": record.run.system,
        "seed": record.run.seed,
        "measure": record.measure,
        "score": record.score,
        "interval": record.intervals.get(record.measure),
        "scores": record.scores,
        "baselines": record.baselines,
        "answers": record.answers,
        "started": record.started,
        "was_read": was_read,
    }


def dry_run(options: argparse.Namespace) -> None:
    """Prints what would run, or all that is wrong with it, in data and models too as far as they are at hand."""
    from hf_fewshot.cli.plan import print_plan, quiet
    from hf_fewshot.runs.planning import Checks, refuse
    from hf_fewshot.runs.rehearsal import rehearse

    checks = Checks(source(options).get("data_dir"))
    runs, problems = looked_at(options, checks)
    runs = runs if problems else chosen(runs, options)
    with quiet():
        rehearsed = rehearse(runs, checks, source(options), progress=sys.stderr.isatty())
    refuse([*problems, *rehearsed.problems])
    print_plan(runs, options.output, options.command_line, rehearsed.remarks)


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
    """All runs, or the one that is asked for by its number."""
    if options.task_index is None:
        return runs
    if not 0 <= options.task_index < len(runs):
        raise ValueError(f"--task-index {options.task_index}, but there are runs 0 to {len(runs) - 1}.")
    return [runs[options.task_index]]


def recipes(options: argparse.Namespace) -> tuple[list[Any], list[str]]:
    """The recipes that are named, or what the command line says, as one; and what is wrong with their files."""
    from hf_fewshot.runs.recipe import PlannedSystem, Recipe, RecipeError, load_recipe

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
            found.append(load_recipe(path))
        except RecipeError as error:
            problems += error.problems
            found += [] if error.rest is None else [error.rest]
    return found, problems


def is_trained(method: str) -> bool:
    """Whether there is something to train."""
    from hf_fewshot.systems.options import system_class

    return system_class(method).trained_by(method) is not None


def changed(recipe: Any, options: argparse.Namespace) -> Any:
    """A recipe with what the command line says: it comes before what the recipe says."""
    given = data_options(options, recipe.benchmark)
    draws = {} if options.draws is None else {"draw": list(range(options.draws))}
    of_method, of_training = once(options.method_option), once(options.training)
    # What the command line fixes is no longer a column: settings that differed in it alone are one.
    columns = [{key: value for key, value in setting.items() if key not in given} for setting in recipe.settings]
    settings = [column for number, column in enumerate(columns) if column not in columns[:number]]

    def trains(system: Any) -> bool:
        # To name one method and a training that it has not is a mistake; of a recipe it is for those that have one.
        return bool(of_training) and (not options.recipes or is_trained(system.method))

    systems = {
        name: replace(
            system,
            model=None if options.model else system.model,
            seeds=None if options.seeds else system.seeds,
            options={**system.options, **of_method},
            training={**(system.training or {}), **of_training} if trains(system) else system.training,
        )
        for name, system in recipe.systems.items()
    }
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
