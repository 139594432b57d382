"""What is said to Slurm on the command line."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.job_words import given_places, job_words
from hf_fewshot.cli.options import once

if TYPE_CHECKING:
    from hf_fewshot.launching.slurm import Slurm

FLAGS = ("--sbatch",)


def add(command: argparse.ArgumentParser) -> None:
    """Options that only this launcher has."""
    command.add_argument(
        "--sbatch",
        type=sbatch_option,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="slurm: an option of sbatch, such as partition=gpu, gres=gpu:1 or time=2:00:00",
    )


def sbatch_option(text: str) -> tuple[str, str]:
    """`key=value`, as it is typed."""
    key, separator, value = text.partition("=")
    if not separator or not key or not value:
        raise argparse.ArgumentTypeError(f"expected key=value, such as partition=gpu, got {text!r}")
    return key.removeprefix("--"), value


def launcher(options: argparse.Namespace, runs: Sequence[Any], at_once: int, runs_per_job: int) -> "Slurm":
    """How the runs of a command line are submitted: jobs have this machine's files, and this Python."""
    from hf_fewshot.launching.slurm import Slurm

    places = {place: _anywhere(place, given) for place, given in given_places(options).items()}
    command = [sys.executable, "-m", "hf_fewshot.cli", *job_words(options, places)]
    return Slurm(command, at_once, runs_per_job, Path.cwd(), once(options.sbatch))


def _anywhere(place: str, given: str) -> str:
    """A place that is the same from any folder; data may also be a name of the Hub."""
    return str(Path(given).absolute()) if place == "--output" or os.path.exists(given) else given
