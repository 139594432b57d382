"""What a job runs: the very same command without the launcher."""

import argparse
import shlex
from collections.abc import Mapping

from hf_fewshot.cli.main import parser

# What a job does without, beside the options of the launcher: it has runs of its own, and nobody who reads along.
NOT_FOR_JOBS = ("--dry-run", "--json")
PLACES = ("--output", "--data", "--data-dir", "--test-data")


def job_words(options: argparse.Namespace, places: Mapping[str, str]) -> list[str]:
    """The words of a command line for a job.

    Args:
        places: where the job finds its data and leaves its results, by the names of options.
    """
    from hf_fewshot.cli.launcher import add_launcher

    ours = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_launcher(ours)
    ours.add_argument("--task-index")
    ours.add_argument("--only", nargs="+")
    for flag in NOT_FOR_JOBS:
        ours.add_argument(flag, action="store_true")
    for place in PLACES:
        ours.add_argument(place)
    _, words = ours.parse_known_args(shlex.split(options.command_line)[1:])
    words += [word for place in PLACES if place in places for word in (place, places[place])]
    try:
        left = parser().parse_args(words)
    except SystemExit:
        left = options
    if left.launcher is not None or left.only is not None or left.task_index is not None:
        raise ValueError("Write --launcher and the options behind it in full: a job must not have them.")
    return words


def given_places(options: argparse.Namespace) -> dict[str, str]:
    """The places that were given, as they were."""
    found = {place: getattr(options, place[2:].replace("-", "_")) for place in PLACES}
    return {place: str(given) for place, given in found.items() if given is not None}
