"""`hf-fewshot run`: one method, or all runs of a recipe."""

import argparse
import shlex
import shutil
from typing import Any

from hf_fewshot.cli.asked_runs import add_asked, chosen, looked_at, planned
from hf_fewshot.cli.fault import told
from hf_fewshot.cli.launched import launch_all, print_jobs
from hf_fewshot.cli.launcher import add_launcher, check_launcher
from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import source
from hf_fewshot.cli.outcome import print_outcome, silence_libraries
from hf_fewshot.cli.parts import run_parts, stretch
from hf_fewshot.cli.tracking import add_track, check_track, recipe_of_runs
from hf_fewshot.cli.words import command_words
from hf_fewshot.progress import stage
from hf_fewshot.text.visible import visible

EPILOG = """\
examples:
  hf-fewshot run --benchmark few_nerd --config inter --n-way 5 --shots 1 --n-episodes 100 --sample \\
      --method structshot --model all-MiniLM-L6-v2 --method-option layers=4 --method-option tau=0.32
  hf-fewshot run --data intents.csv --task classification --text sentence --label intent --shots 5 --draws 5 \\
      --method proto --model all-MiniLM-L6-v2                                  # your own labels: docs/own_data.md
  hf-fewshot run few_nerd_inter --dry-run
  hf-fewshot run recipes/few_nerd_inter.yaml --model all-MiniLM-L6-v2 --sample --n-episodes 20 --seeds 0
  accelerate launch -m hf_fewshot.cli run recipes/few_nerd_inter.yaml          # several GPUs or processes
  hf-fewshot run recipes/few_nerd_inter.yaml --launcher slurm --sbatch gres=gpu:1 # as jobs of a cluster
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
    add_asked(command)
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
    command.add_argument("--json", action="store_true", help="print the scores as JSON instead of tables")
    command.add_argument(
        "--episodes", type=stretch, metavar="A:B", help="only episodes A to B - 1, for hf-fewshot merge"
    )
    add_track(command)
    add_launcher(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Runs what is missing."""
    check_launcher(options)
    check_track(options)
    if options.dry_run:
        dry_run(options)
        return
    with stage("loading libraries and checking what is asked for"):
        runs = planned(options)
    if options.launcher is not None:
        launch_all(runs, options)
        return
    if options.episodes is not None:
        run_parts(runs, options)
        return
    with stage("loading libraries"):
        from accelerate import Accelerator

        from hf_fewshot.cli.live_table import LiveTable
        from hf_fewshot.runs.claim import RunInUseError
        from hf_fewshot.runs.execution import execute, usable
        from hf_fewshot.runs.failure import forget_failure, note_failure
        from hf_fewshot.systems.training import FOLDER

        silence_libraries()
    accelerator = Accelerator()
    words = command_words(options)
    recipes = {} if options.track is None else recipe_of_runs(options)
    failures = []
    with LiveTable(runs, shown=accelerator.is_main_process and not options.json) as table:
        for one in runs:
            table.begin(one)
            folder = options.output / one.name
            if accelerator.is_main_process:
                forget_failure(folder)
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
                    track=options.track,
                    group=recipes.get(one.name),
                )
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever it is, code of one's own may call sys.exit: the other runs go on
                # That another process works on a run says nothing about it.
                if accelerator.is_main_process and not isinstance(error, RunInUseError):
                    note_failure(folder, told(error, words, command=options.command_line))
                if len(runs) == 1:
                    raise
                failures.append(f"{one.name}: {told(error, words, command=options.command_line, debug=options.debug)}")
                table.failed(one)
            else:
                table.done(record, was_read=read is not None)
    if accelerator.is_main_process:
        print_outcome(table, options)
    if options.no_models and not failures and accelerator.is_main_process:
        shutil.rmtree(options.output / FOLDER, ignore_errors=True)
    if accelerator.num_processes > 1:
        accelerator.end_training()  # a process that ends while another still talks to it may take it down
    if failures:
        raise CommandError(f"{len(failures)} of {len(runs)} runs failed:\n  " + "\n  ".join(failures))


def dry_run(options: argparse.Namespace) -> None:
    """Prints what would run, or all that is wrong with it, in data and models too as far as they are at hand."""
    from hf_fewshot.cli.plan import print_plan, quiet
    from hf_fewshot.runs.planning import Checks, refuse
    from hf_fewshot.runs.rehearsal import rehearse

    checks = Checks(source(options).get("data_dir"))
    runs, problems = looked_at(options, checks)
    runs = runs if problems else chosen(runs, options)
    with quiet():
        rehearsed = rehearse(runs, checks, source(options), progress=True)
    refuse([*problems, *rehearsed.problems])
    print_plan(runs, options.output, rehearsed.remarks)
    if options.launcher is not None:
        print_jobs(runs, options)
    elif len(runs) > 1:
        without = [word for word in shlex.split(options.command_line) if word != "--dry-run"]
        print(visible(f"On a Slurm cluster: {shlex.join(without)} --launcher slurm"))
