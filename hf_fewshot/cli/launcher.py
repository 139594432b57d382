"""Runs that are handed to a cluster instead of being made here."""

import argparse
import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.main import CommandError, parser
from hf_fewshot.cli.options import once, positive, source
from hf_fewshot.text.visible import visible

if TYPE_CHECKING:
    from hf_fewshot.launching.launch import Launch

AT_ONCE = 16
SECONDS = 5.0  # between two looks at the jobs
# What a job does without, beside the options of the launcher: it has runs of its own, and nobody who reads along.
NOT_FOR_JOBS = ("--dry-run", "--json")
PLACES = ("--output", "--data", "--data-dir", "--test-data")


def add_launcher(command: argparse.ArgumentParser) -> None:
    """Whether runs are submitted, and how."""
    command.add_argument("--launcher", choices=("slurm",), help="submit what is missing as jobs of a cluster")
    command.add_argument(
        "--sbatch",
        type=sbatch_option,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of sbatch, such as partition=gpu, gres=gpu:1 or time=2:00:00",
    )
    command.add_argument("--at-once", type=positive, help=f"jobs that run at the same time, at most ({AT_ONCE})")
    command.add_argument("--runs-per-job", type=positive, help="runs that a job does one after the other (1)")
    command.add_argument("--wait", action="store_true", help="stay until all jobs are done, and show the results")


def sbatch_option(text: str) -> tuple[str, str]:
    """`key=value`, as it is typed."""
    key, separator, value = text.partition("=")
    if not separator or not key or not value:
        raise argparse.ArgumentTypeError(f"expected key=value, such as partition=gpu, got {text!r}")
    return key.removeprefix("--"), value


def check_launcher(options: argparse.Namespace) -> None:
    """Refuses what means nothing without a launcher, and what means nothing to jobs."""
    if options.launcher is None:
        given = {"--sbatch": options.sbatch, "--at-once": options.at_once, "--runs-per-job": options.runs_per_job}
        for name, value in {**given, "--wait": options.wait}.items():
            if value:
                raise ValueError(f"{name} is about jobs of a cluster. Give --launcher slurm, or leave it out.")
    elif options.no_models:
        raise ValueError(
            "--no-models in one job would delete what others still need. Leave it out, and give it to the same "
            "command without --launcher when all is done."
        )
    elif options.episodes is not None:
        raise ValueError("--episodes and --launcher exclude each other: jobs make whole runs. Give one of them.")


def launch_of(options: argparse.Namespace) -> "Launch":
    """How the runs of a command line are submitted."""
    from hf_fewshot.launching.launch import Launch

    return Launch(
        job_command(options),
        Path.cwd(),
        options.at_once or AT_ONCE,
        options.runs_per_job or 1,
        once(options.sbatch),
    )


def job_command(options: argparse.Namespace) -> list[str]:
    """What a job runs: the very same command without the launcher, with places that are the same from anywhere."""
    ours = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_launcher(ours)
    ours.add_argument("--task-index")
    ours.add_argument("--only", nargs="+")
    for flag in NOT_FOR_JOBS:
        ours.add_argument(flag, action="store_true")
    for place in PLACES:
        ours.add_argument(place)
    _, words = ours.parse_known_args(shlex.split(options.command_line)[1:])
    found = {place: getattr(options, place[2:].replace("-", "_")) for place in PLACES}
    for place, given in found.items():
        if given is not None:
            # Data may also be a name of the Hub.
            is_here = place == "--output" or os.path.exists(given)
            words += [place, str(Path(given).absolute()) if is_here else str(given)]
    try:
        left = parser().parse_args(words)
    except SystemExit:
        left = options
    if left.launcher is not None or left.only is not None or left.task_index is not None:
        raise ValueError("Write --launcher and the options behind it in full: a job must not have them.")
    return [sys.executable, "-m", "hf_fewshot.cli", *words]


def print_jobs(runs: Sequence[Any], options: argparse.Namespace) -> None:
    """Prints what would be submitted."""
    from hf_fewshot.launching.launch import jobs_of
    from hf_fewshot.launching.submission import FOLDER
    from hf_fewshot.runs.record import FILE_NAME

    launch, output = launch_of(options), options.output.absolute()
    jobs = jobs_of([run for run in runs if not (output / run.name / FILE_NAME).exists()], output, launch)
    if not jobs:
        print("Nothing would be submitted: all runs are done, wait or run.")
        return
    waiting = sum(job.after is not None for job in jobs)
    later = f", {waiting} of them after others that train their model" if waiting else ""
    print(f"{sum(len(job.runs) for job in jobs)} runs would be submitted as {len(jobs)} jobs{later}:")
    print(visible(launch.script("hf-fewshot", jobs, output / FOLDER)), end="")


def launch_all(runs: Sequence[Any], options: argparse.Namespace) -> None:
    """Submits what is missing, and waits for it where that is asked for."""
    from hf_fewshot.launching.launch import launch_runs
    from hf_fewshot.runs.claim import ChangedError
    from hf_fewshot.runs.execution import usable
    from hf_fewshot.runs.planning import refuse
    from hf_fewshot.runs.record import RecordError

    launch, output = launch_of(options), options.output.absolute()
    missing, problems = [], []
    for run in runs:
        try:
            if usable(run, output, source(options), options.again) is None:
                missing.append(run)
        except (ChangedError, RecordError) as error:
            problems.append(str(error))
    refuse(problems)
    submission = launch_runs(missing, output, launch) if missing else None
    if not options.json:
        print(visible(_said(len(runs), len(missing), submission, output)))
    if options.wait:
        _wait(runs, {run.name for run in missing}, options, output)


def _said(total: int, n_missing: int, submission: Any, output: Path) -> str:
    """What became of runs, in words."""
    submitted = 0 if submission is None else sum(map(len, submission.jobs))
    before = f"{total - n_missing} done, {n_missing - submitted} submitted before"
    if submission is None:
        return f"Nothing to submit: of {total} runs, {before}."
    jobs = f"{len(submission.jobs)} {'job' if len(submission.jobs) == 1 else 'jobs'}"
    return (
        f"Submitted {submitted} of {total} runs as {jobs} of array {submission.array} ({before}). "
        f"Script and logs: {submission.folder(output)}"
    )


def _wait(runs: Sequence[Any], missing: set[str], options: argparse.Namespace, output: Path) -> None:
    """Shows results as they come, until nothing is to come."""
    from hf_fewshot.cli.live_table import LiveTable
    from hf_fewshot.cli.outcome import print_outcome
    from hf_fewshot.launching.status import DONE, RUNNING, WAITING, run_states
    from hf_fewshot.runs.record import Record

    coming, failures = {run.name: run for run in runs}, []
    with LiveTable(runs, shown=not options.json) as table:
        while True:
            states = run_states(list(coming), output)
            for one in states:
                if one.is_open:
                    continue
                run = coming.pop(one.name)
                if one.state == DONE:
                    table.done(Record.read(output / one.name), was_read=one.name not in missing)
                else:
                    failures.append(f"{one.name}: {one.reason or one.state}")
                    table.failed(run)
            if not coming:
                break
            counted = Counter(one.state for one in states)
            table.current = f"{counted[RUNNING]} running, {counted[WAITING]} waiting"
            time.sleep(SECONDS)
    print_outcome(table, options)
    if failures:
        raise CommandError(f"{len(failures)} of {len(runs)} runs failed:\n  " + "\n  ".join(failures))
