"""`hf-fewshot status`: how far the runs of a recipe are."""

import argparse
import json
from collections import Counter
from typing import Any

from hf_fewshot.cli.asked_runs import add_asked, planned
from hf_fewshot.cli.main import CommandError
from hf_fewshot.text.visible import visible

EPILOG = """\
examples:
  hf-fewshot run recipes/few_nerd_inter.yaml --output results --launcher slurm --sbatch partition=gpu
  hf-fewshot status recipes/few_nerd_inter.yaml --output results

Give the arguments that the runs were submitted with. done: there is a record; running, waiting: a job does;
failed: with the message of the run, or the end of its job's log; missing: was never submitted.
Exit code 1: some failed."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "status",
        help="how far the runs of a recipe are: done, running, waiting, failed and why",
        description="Shows how far runs are that were submitted with hf-fewshot run --launcher.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_asked(command)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints a line for each run, and how many there are of each kind."""
    from hf_fewshot.launching.status import FAILED, STATES, run_states

    states = run_states([run.name for run in planned(options)], options.output)
    counted = Counter(one.state for one in states)
    if options.json:
        print(json.dumps([one._asdict() for one in states]))
    else:
        width = max(len(one.job) for one in states)
        for one in states:
            line = f"{one.state:<8} {one.job:<{width}} {one.name}"
            why = one.reason.replace("\n", "\n    ")
            print(
                visible(
                    f"{line}\n    {why}" if one.state == FAILED else f"{line} {f'({why})' if why else ''}".rstrip()
                )
            )
        print(f"{len(states)} runs: {', '.join(f'{counted[one]} {one}' for one in STATES if counted[one])}.")
    if counted[FAILED]:
        raise CommandError(f"{counted[FAILED]} of {len(states)} runs failed. The same run command submits them again.")
