"""`hf-fewshot pull`: results that jobs have left on the Hub."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.main import CommandError
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

EPILOG = """\
examples:
  hf-fewshot pull me/results --output results
  hf-fewshot report results

Runs that are here already stay as they are; one whose record differs is named, and exit code 1. The same command goes
on where it was interrupted. For repositories that hf-fewshot run --launcher jobs has filled."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "pull",
        help="bring finished runs from a results repository into a folder of results",
        description="Downloads the records and predictions of runs that are not here yet.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("repo", metavar="USER/NAME", help="the dataset repository with the results")
    command.add_argument("--output", type=Path, default=Path("results"), help="folder of results (default: results)")
    command.add_argument("--only", nargs="+", metavar="RUN", help="only the runs with these names")
    command.add_argument("--models", action="store_true", help="trained models too, where jobs have left them")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Names what is new."""
    from hf_fewshot.hub import HubError, pull_runs

    try:
        pulled = pull_runs(options.repo, options.output, only=options.only, models=options.models)
    except HubError as error:
        raise CommandError(str(error)) from error
    for name in pulled.new:
        print(visible(name, keep=""))
    print(f"{len(pulled.new)} runs are new in {visible(str(options.output))}, {len(pulled.there)} were there.")
    if pulled.refused:
        told = "\n  ".join(redacted(f"{name}: {why}") for name, why in pulled.refused.items())
        raise CommandError(f"{len(pulled.refused)} runs were left out:\n  {told}")
