"""Submits runs as an array of jobs: what is not done, and neither waits nor runs already."""

import datetime
import logging
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock

from hf_fewshot.launching.jobs import Job, planned_jobs
from hf_fewshot.launching.script import check_options, script
from hf_fewshot.launching.slurm import SlurmError, cancel, make_wait, release, submit
from hf_fewshot.launching.status import Place, places
from hf_fewshot.launching.submission import FOLDER, LOG, SCRIPT, Submission, submissions
from hf_fewshot.launching.trainings import training_of
from hf_fewshot.runs.failure import forget_failure
from hf_fewshot.runs.run import Run
from hf_fewshot.text.redaction import holds_secret

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Launch:
    """How runs are submitted.

    Args:
        command: that a job runs, to which `--only` and the names of its runs are added.
        current: the folder that it runs in.
        at_once: how many jobs of an array run at the same time, at most.
        runs_per_job: how many runs a job does one after the other, at most.
        options: of sbatch, such as `{"partition": "gpu", "time": "2:00:00"}`.
    """

    command: Sequence[str]
    current: Path
    at_once: int = 16
    runs_per_job: int = 1
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_options(self.options)
        if holds_secret(" ".join(self.command)):
            raise ValueError(
                "The command holds a password or a key, which would be written to the script of its jobs. Leave it to "
                "an environment variable: jobs have those of the shell they are submitted from."
            )

    def script(self, name: str, jobs: Sequence[Job], folder: Path) -> str:
        """The script of jobs, whose logs go to a folder."""
        return script(
            name,
            jobs,
            self.command,
            logs=folder,
            current=self.current,
            at_once=self.at_once,
            options=self.options,
        )


def jobs_of(runs: Sequence[Run], output: Path, launch: Launch) -> list[Job]:
    """The jobs of those runs that neither wait nor run already."""
    trainings = {run.name: training_of(run) for run in runs}
    underway = _underway(output)
    trained: dict[str, str] = {}
    for name, place in underway.items():
        training = place.submission.trainings.get(name)
        if training is not None:
            trained.setdefault(training, place.id)  # the first one trains it
    wanted = {name: training for name, training in trainings.items() if name not in underway}
    return planned_jobs(wanted, trained, launch.runs_per_job)


def launch_runs(runs: Sequence[Run], output: Path, launch: Launch) -> Submission | None:
    """Submits them; None: all of them wait or run already.

    Args:
        runs: those that are to be made.
        output: the folder of results, which all machines of the cluster must see under the same name.
    """
    (output / FOLDER).mkdir(parents=True, exist_ok=True)
    # Two that submit at once see what the other has submitted.
    with _alone(output):
        jobs = jobs_of(runs, output, launch)
        if not jobs:
            return None
        # Names are in the order of time: the last submission of a run counts.
        name = f"hf-fewshot-{datetime.datetime.now(datetime.UTC):%Y%m%dT%H%M%S.%fZ}"
        folder = output / FOLDER / name
        text = launch.script(name, jobs, folder)
        folder.mkdir()
        (folder / SCRIPT).write_text(text, encoding="utf-8")
        try:
            array = submit(folder / SCRIPT)
        except SlurmError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        trainings = {run.name: training for run in runs if (training := training_of(run)) is not None}
        submission = Submission(name, array, [list(job.runs) for job in jobs], trainings)
        try:
            submission.write(output)
        except OSError:
            cancel([array])  # nobody would know of it
            raise
        for number, job in enumerate(jobs):
            for run in job.runs:
                _prepare(output / run, submission.log(output, number))
        _put_in_order(array, jobs)
        release(array)
        return submission


def cancel_runs(names: Sequence[str], output: Path) -> list[str]:
    """Ends the jobs of runs; the names of all runs that these jobs had."""
    if not (output / FOLDER).is_dir():
        return []
    wanted = set(names)
    with _alone(output):
        chosen = {place.id: place for name, place in _underway(output).items() if name in wanted}
        if not chosen:
            return []
        cancel(chosen)
        marked: dict[str, Submission] = {}
        for place in chosen.values():
            before = marked.get(place.submission.name, place.submission)
            marked[before.name] = before.with_cancelled(place.number)
        for submission in marked.values():
            submission.write(output)
    return [name for place in chosen.values() for name in place.submission.jobs[place.number]]


def _alone(output: Path) -> FileLock:
    return FileLock(output / FOLDER / ".lock")


def _underway(output: Path) -> dict[str, Place]:
    """All runs that wait or run, of whatever recipe."""
    names = dict.fromkeys(name for one in submissions(output) for job in one.jobs for name in job)
    return {name: place for name, place in places(list(names), output).items() if place.is_underway}


def _prepare(run: Path, log: Path) -> None:
    """The folder of a run, with a link to the log of its job and nothing of what failed before."""
    run.mkdir(parents=True, exist_ok=True)
    forget_failure(run)
    (run / LOG).unlink(missing_ok=True)
    (run / LOG).symlink_to(os.path.relpath(log, run))


def _put_in_order(array: str, jobs: Sequence[Job]) -> None:
    """Tells tasks of a held array whom they wait for."""
    waiting = defaultdict(list)
    for number, job in enumerate(jobs):
        if job.after is not None:
            waiting[f"{array}_{job.after}" if isinstance(job.after, int) else job.after].append(number)
    for after, numbers in waiting.items():
        try:
            make_wait(array, numbers, after)
        except SlurmError as error:
            # The other one may have ended meanwhile; if not, a lock lets one of them train.
            logger.warning(f"Jobs {numbers} of array {array} do not wait for {after}: {error}")
