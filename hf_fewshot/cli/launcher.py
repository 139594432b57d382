"""Whether runs are handed to a launcher instead of being made here, and how."""

import argparse
import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.options import positive

if TYPE_CHECKING:
    from hf_fewshot.launching.launcher import Launcher

AT_ONCE = 16
# What only one launcher is told: FLAGS, add and launcher of a module.
OPTIONS = {"slurm": "hf_fewshot.cli.slurm_options", "jobs": "hf_fewshot.cli.hub_jobs_options"}


def add_launcher(command: argparse.ArgumentParser) -> None:
    """Whether runs are submitted, and how."""
    command.add_argument("--launcher", choices=tuple(OPTIONS), help="submit what is missing as jobs")
    command.add_argument("--at-once", type=positive, help=f"jobs that run at the same time, at most ({AT_ONCE})")
    command.add_argument("--runs-per-job", type=positive, help="runs that a job does one after the other (1)")
    command.add_argument("--wait", action="store_true", help="stay until all jobs are done, and show the results")
    command.add_argument("--yes", action="store_true", help="submit jobs though they have a price")
    for module in OPTIONS.values():
        importlib.import_module(module).add(command)


def check_launcher(options: argparse.Namespace) -> None:
    """Refuses what means nothing without a launcher, or to another one, and what means nothing to jobs."""
    for name, module in OPTIONS.items():
        for flag in importlib.import_module(module).FLAGS if name != options.launcher else ():
            if _given(options, flag):
                raise ValueError(f"{flag} is an option of --launcher {name}. Give that, or leave it out.")
    if options.launcher is None:
        for flag in ("--at-once", "--runs-per-job", "--wait", "--yes"):
            if _given(options, flag):
                raise ValueError(f"{flag} is about jobs. Give --launcher {' or '.join(OPTIONS)}, or leave it out.")
    elif options.no_models:
        raise ValueError(
            "--no-models in one job would delete what others still need. Leave it out, and give it to the same "
            "command without --launcher when all is done."
        )
    elif options.episodes is not None:
        raise ValueError("--episodes and --launcher exclude each other: jobs make whole runs. Give one of them.")


def launcher_of(options: argparse.Namespace, runs: Sequence[Any]) -> "Launcher":
    """How the runs of a command line are submitted; what keeps one from being made by a job is an error."""
    made: Launcher = importlib.import_module(OPTIONS[options.launcher]).launcher(
        options, runs, options.at_once or AT_ONCE, options.runs_per_job or 1
    )
    return made


def _given(options: argparse.Namespace, flag: str) -> bool:
    return bool(getattr(options, flag[2:].replace("-", "_")))
