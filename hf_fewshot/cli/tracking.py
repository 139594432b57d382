"""Whether a tracker shows runs while they are made, and which of them it shows together."""

import argparse
from pathlib import Path


def add_track(command: argparse.ArgumentParser) -> None:
    """By what runs are tracked."""
    command.add_argument(
        "--track",
        metavar="TRACKER",
        help="show learning curves and scores in a tracker: trackio, or another one that transformers knows",
    )


def check_track(options: argparse.Namespace) -> None:
    """Refuses a tracker that is not here, or that would see nothing."""
    if options.track is None:
        return
    if options.episodes is not None:
        raise ValueError("--track and --episodes exclude each other: a part of a run has no scores. Leave one out.")
    if options.launcher == "jobs":
        raise ValueError(
            "--track and --launcher jobs exclude each other: what a tracker keeps would be lost with the machine "
            "of the job. Leave --track out."
        )
    from hf_fewshot.tracking.trackers import tracker_callback

    tracker_callback(options.track)


def recipe_of_runs(options: argparse.Namespace) -> dict[str, str]:
    """The names of recipes, by the names of their runs; the first one where several ask for the same."""
    from hf_fewshot.cli.asked_runs import changed
    from hf_fewshot.runs.recipe import load_recipe
    from hf_fewshot.runs.recipe_names import recipe_file

    found: dict[str, str] = {}
    for path in options.recipes:
        for run in changed(load_recipe(recipe_file(path)), options).runs():
            found.setdefault(run.name, Path(path).stem)
    return found
