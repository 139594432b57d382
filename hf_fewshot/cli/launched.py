"""Runs that are handed to a launcher: planned, submitted, waited for."""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.launcher import launcher_of
from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import source
from hf_fewshot.text.visible import visible

if TYPE_CHECKING:
    from hf_fewshot.launching.jobs import Job
    from hf_fewshot.launching.launcher import Launcher

SECONDS = 5.0  # between two looks at the jobs
PATIENCE = 60  # looks in a row that may fail: nobody who waits for hours has a network all the time


def print_jobs(runs: Sequence[Any], options: argparse.Namespace) -> None:
    """Prints what would be submitted."""
    from hf_fewshot.launching.launch import jobs_of
    from hf_fewshot.runs.record import FILE_NAME

    launcher, output = launcher_of(options, runs), options.output.absolute()
    missing = [run for run in runs if not (output / run.name / FILE_NAME).exists()]
    jobs = jobs_of(missing, output, launcher)
    if not jobs:
        print("Nothing would be submitted: all runs are done, wait or run.")
        return
    _print_preview(jobs, missing, launcher, output)


def launch_all(runs: Sequence[Any], options: argparse.Namespace) -> None:
    """Submits what is missing, and waits for it where that is asked for."""
    from hf_fewshot.launching.launch import jobs_of, launch_runs
    from hf_fewshot.launching.status import run_states

    launcher, output = launcher_of(options, runs), options.output.absolute()
    if not launcher.shares_files:
        run_states([run.name for run in runs], output)  # brings what is done
    missing = _missing(runs, launcher, output, options)
    if launcher.has_price and not options.yes:
        jobs = jobs_of(missing, output, launcher)
        if jobs:
            _print_preview(jobs, missing, launcher, output)
            print("Nothing was submitted: these jobs have a price. Give --yes to submit them.")
            return
    submission = launch_runs(missing, output, launcher) if missing else None
    if not options.json:
        print(visible(_said(len(runs), missing, submission, output)))
    if options.wait:
        _wait(runs, missing, launcher, options, output)


def _missing(runs: Sequence[Any], launcher: "Launcher", output: Path, options: argparse.Namespace) -> list[Any]:
    """The runs that are to be made; a record that is there and cannot be used is an error."""
    from hf_fewshot.runs.claim import ChangedError
    from hf_fewshot.runs.execution import recorded, usable
    from hf_fewshot.runs.planning import refuse
    from hf_fewshot.runs.record import RecordError

    missing, problems = [], []
    for run in runs:
        try:
            # What a record from elsewhere was made from need not be here.
            there = (
                usable(run, output, source(options), options.again) if launcher.shares_files else recorded(run, output)
            )
        except (ChangedError, RecordError) as error:
            problems.append(str(error))
        else:
            missing += [run] if there is None else []
    refuse(problems)
    return missing


def _print_preview(jobs: Sequence["Job"], missing: Sequence[Any], launcher: "Launcher", output: Path) -> None:
    from hf_fewshot.launching.submission import FOLDER
    from hf_fewshot.runs.expected_time import kind_of_work, known_seconds

    times, by_name = known_seconds(output), {run.name: run for run in missing}
    waiting = sum(job.after is not None for job in jobs)
    later = f", {waiting} of them after others that train their model" if waiting else ""
    print(f"{sum(len(job.runs) for job in jobs)} runs would be submitted as {_counted(jobs)}{later}:")
    parts = [[times.get(kind_of_work(by_name[name])) for name in job.runs] for job in jobs]
    seconds = [None if None in part else sum(filter(None, part)) for part in parts]
    print(visible(launcher.preview(jobs, seconds, output / FOLDER)), end="")


def _said(total: int, missing: Sequence[Any], submission: Any, output: Path) -> str:
    """What became of runs, in words."""
    from hf_fewshot.launching.status import MISSING, run_states

    submitted = 0 if submission is None else sum(map(len, submission.jobs))
    states = run_states([run.name for run in missing], output) if missing else []
    later = sum(one.state == MISSING for one in states)
    before = f"{total - len(missing)} done, {len(missing) - submitted - later} submitted before"
    if later:
        before += f", {later} to be submitted when others have ended: --wait, or the same command again"
    if submission is None:
        return f"Nothing to submit: of {total} runs, {before}."
    first, last = submission.ids[0], submission.ids[-1]
    ids = first if first == last else f"{first} to {last}"
    return (
        f"Submitted {submitted} of {total} runs as {_counted(submission.jobs)}, {ids} ({before}). "
        f"Script and logs: {submission.folder(output)}"
    )


def _counted(jobs: Sequence[Any]) -> str:
    return f"{len(jobs)} {'job' if len(jobs) == 1 else 'jobs'}"


def _wait(
    runs: Sequence[Any], missing: Sequence[Any], launcher: "Launcher", options: argparse.Namespace, output: Path
) -> None:
    """Shows results as they come, until nothing is to come."""
    from hf_fewshot.cli.live_table import LiveTable
    from hf_fewshot.cli.outcome import print_outcome
    from hf_fewshot.hub.access import HubError
    from hf_fewshot.launching.launch import launch_runs
    from hf_fewshot.launching.launcher import LauncherError
    from hf_fewshot.launching.status import DONE, MISSING, RUNNING, WAITING, run_states
    from hf_fewshot.runs.record import Record

    coming, failures = {run.name: run for run in runs}, []
    not_before, n_failed = {run.name for run in missing}, 0
    with LiveTable(runs, shown=not options.json) as table:
        while True:
            try:
                states = run_states(list(coming), output)
            except (HubError, LauncherError):
                n_failed += 1
                if n_failed > PATIENCE:
                    raise
                time.sleep(SECONDS)
                continue
            n_failed = 0
            later = [coming[one.name] for one in states if one.state == MISSING and one.name in not_before]
            if later:
                launch_runs(later, output, launcher)
            for one in states:
                if one.is_open or coming[one.name] in later:
                    continue
                run = coming.pop(one.name)
                if one.state == DONE:
                    table.done(Record.read(output / one.name), was_read=one.name not in not_before)
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
