"""`hf-fewshot cancel`: ends the jobs of a recipe."""

import argparse
from typing import Any

from hf_fewshot.cli.asked_runs import add_asked, planned
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "cancel",
        help="end the jobs of a recipe that wait or run",
        description="Ends the jobs of runs that were submitted with hf-fewshot run --launcher; give the same "
        "arguments. What is finished is kept: submitted again, the runs go on.",
    )
    add_asked(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Ends them, and names their runs."""
    from hf_fewshot.launching.launch import cancel_runs

    ended = cancel_runs([run.name for run in planned(options)], options.output.absolute())
    for name in ended:
        print(visible(name, keep=""))
    print(f"Cancelled the jobs of {len(ended)} runs." if ended else "Nothing to cancel: no job waits or runs.")
