"""Slurm: runs as an array of jobs, which read and write the same files as this machine."""

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hf_fewshot.launching.jobs import Job
from hf_fewshot.launching.launcher import Launcher, LauncherError, Submitted, Task
from hf_fewshot.launching.slurm_commands import cancel, make_wait, release, submit, tasks
from hf_fewshot.launching.slurm_script import check_options, script
from hf_fewshot.launching.submission import Submission

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Slurm(Launcher):
    """How runs are submitted to it.

    Args:
        current: the folder that a job runs in.
        options: of sbatch, such as `{"partition": "gpu", "time": "2:00:00"}`.
    """

    current: Path = field(default_factory=Path.cwd)
    options: Mapping[str, str] = field(default_factory=dict)

    name = "slurm"
    script_name = "job.sh"
    secrets_remedy = "jobs have those of the shell they are submitted from"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_options(self.options)

    def script(self, name: str, jobs: Sequence[Job], folder: Path) -> str:
        """What sbatch takes."""
        return script(
            name,
            jobs,
            self.command,
            logs=folder,
            current=self.current,
            at_once=self.at_once,
            options=self.options,
        )

    def preview(self, jobs: Sequence[Job], seconds: Sequence[float | None], folder: Path) -> str:
        """The script, which says it all."""
        return self.script("hf-fewshot", jobs, folder)

    def submit(self, name: str, jobs: Sequence[Job], folder: Path) -> Submitted:
        """An array, which is held."""
        array = submit(folder / self.script_name)
        return Submitted([f"{array}_{number}" for number in range(len(jobs))])

    def begin(self, submitted: Submitted, jobs: Sequence[Job]) -> None:
        """Tells jobs whom they wait for, and lets them go."""
        waiting = defaultdict(list)
        for number, job in enumerate(jobs):
            if job.after is not None:
                waiting[submitted.ids[job.after] if isinstance(job.after, int) else job.after].append(number)
        array = submitted.ids[0].partition("_")[0]
        for after, numbers in waiting.items():
            try:
                make_wait(array, numbers, after)
            except LauncherError as error:
                # The other one may have ended meanwhile; if not, a lock lets one of them train.
                logger.warning(f"Jobs {numbers} of array {array} do not wait for {after}: {error}")
        release(array)

    @classmethod
    def tasks(cls, submissions: Collection[Submission]) -> dict[tuple[str, int], Task]:
        """A job of the same id but another name is somebody else's."""
        known = tasks({_array(one) for one in submissions})
        found = {}
        for one in submissions:
            for number in range(len(one.jobs)):
                task = known.get((_array(one), number))
                if task is not None and task.name == one.name:
                    reason = "" if task.reason == "None" else task.reason
                    found[one.name, number] = Task(task.state, reason, task.is_waiting, task.is_running)
        return found

    @classmethod
    def cancel(cls, submission: Submission, numbers: Collection[int]) -> None:
        """Ends jobs."""
        cancel(submission.ids[number] for number in numbers)

    @classmethod
    def fetch(cls, submission: Submission, ended: Collection[int], output: Path) -> None:
        """Nothing: jobs write where this machine reads."""


def _array(submission: Submission) -> str:
    return submission.ids[0].partition("_")[0]
