"""Submits runs as jobs: what is not done, and neither waits nor runs already."""

import datetime
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

from hf_fewshot.launching.jobs import Job, planned_jobs
from hf_fewshot.launching.launcher import Launcher, launcher_class
from hf_fewshot.launching.status import Place, places, state_of
from hf_fewshot.launching.submission import FOLDER, LOG, Submission, submissions
from hf_fewshot.launching.trainings import training_of
from hf_fewshot.runs.failure import forget_failure
from hf_fewshot.runs.run import Run


def jobs_of(runs: Sequence[Run], output: Path, launcher: Launcher) -> list[Job]:
    """The jobs of those runs that neither wait nor run already."""
    trainings = {run.name: training_of(run) for run in runs}
    # A job that still runs may have runs that have failed: they are not made again by it.
    underway = {name: one for name, one in _underway(output).items() if state_of(name, output, one).is_open}
    trained: dict[str, str] = {}
    for name, place in underway.items():
        training = place.submission.trainings.get(name)
        if training is not None and place.submission.launcher == launcher.name:
            trained.setdefault(training, place.id)  # the first one trains it
    wanted = {name: training for name, training in trainings.items() if name not in underway}
    can_wait = launcher.shares_files
    jobs = planned_jobs(wanted, trained if can_wait else {}, launcher.runs_per_job, can_wait=can_wait)
    theirs = {place.id for place in underway.values() if place.submission.launcher == launcher.name}
    return list(launcher.startable(jobs, len(theirs)))


def launch_runs(runs: Sequence[Run], output: Path, launcher: Launcher) -> Submission | None:
    """Submits them; None: all of them wait or run already, or as many jobs do as may at once.

    Args:
        runs: those that are to be made.
        output: the folder of results, which all machines of a cluster must see under the same name.
    """
    (output / FOLDER).mkdir(parents=True, exist_ok=True)
    # Two that submit at once see what the other has submitted.
    with _alone(output):
        jobs = jobs_of(runs, output, launcher)
        if not jobs:
            return None
        # Names are in the order of time: the last submission of a run counts.
        name = f"hf-fewshot-{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%S.%fZ}"
        folder = output / FOLDER / name
        text = launcher.script(name, jobs, folder)
        folder.mkdir()
        (folder / launcher.script_name).write_text(text, encoding="utf-8")
        try:
            submitted = launcher.submit(name, jobs, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        trainings = {run.name: training for run in runs if (training := training_of(run)) is not None}
        parts = [list(job.runs) for job in jobs]
        submission = Submission(
            name, launcher.name, submitted.ids, parts, trainings=trainings, about=dict(submitted.about)
        )
        try:
            submission.write(output)
        except OSError:
            launcher.cancel(submission, range(len(jobs)))  # nobody would know of them
            raise
        for number, job in enumerate(jobs):
            for run in job.runs:
                _prepare(output / run, submission.log(output, number))
        launcher.begin(submitted, jobs)
        return submission


def cancel_runs(names: Sequence[str], output: Path) -> list[str]:
    """Ends the jobs of runs; the names of all runs that these jobs had."""
    if not (output / FOLDER).is_dir():
        return []
    wanted = set(names)
    with _alone(output):
        chosen = {place.id: place for name, place in _underway(output).items() if name in wanted}
        numbers: dict[str, list[int]] = {}
        for place in chosen.values():
            numbers.setdefault(place.submission.name, []).append(place.number)
        for submission in {place.submission.name: place.submission for place in chosen.values()}.values():
            launcher_class(submission.launcher).cancel(submission, numbers[submission.name])
            submission.with_cancelled(numbers[submission.name]).write(output)
    return [name for place in chosen.values() for name in place.submission.jobs[place.number]]


def _alone(output: Path) -> FileLock:
    return FileLock(output / FOLDER / ".lock")


def _underway(output: Path) -> dict[str, Place]:
    """All runs whose jobs wait or run, of whatever recipe."""
    names = dict.fromkeys(name for one in submissions(output) for job in one.jobs for name in job)
    return {name: place for name, place in places(list(names), output).items() if place.is_underway}


def _prepare(run: Path, log: Path) -> None:
    """The folder of a run, with a link to the log of its job and nothing of what failed before."""
    run.mkdir(parents=True, exist_ok=True)
    forget_failure(run)
    (run / LOG).unlink(missing_ok=True)
    (run / LOG).symlink_to(os.path.relpath(log, run))
