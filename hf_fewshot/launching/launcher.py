"""Who makes runs elsewhere: submits jobs, says how far they are, ends them."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from hf_fewshot.launching.jobs import Job
from hf_fewshot.launching.submission import Submission
from hf_fewshot.registry import resolve, unknown
from hf_fewshot.text.redaction import holds_secret

LAUNCHERS = {
    "slurm": "hf_fewshot.launching.slurm:Slurm",
    "jobs": "hf_fewshot.launching.hub_jobs:HubJobs",
}


class LauncherError(RuntimeError):
    """What makes runs elsewhere is not there, or refused."""


class Task(NamedTuple):
    """A job as its launcher sees it: its state in the launcher's words, and why it is in it."""

    state: str
    reason: str = ""
    is_waiting: bool = False
    is_running: bool = False

    @property
    def is_underway(self) -> bool:
        """Whether it waits or runs."""
        return self.is_waiting or self.is_running


class Submitted(NamedTuple):
    """What came of submitting jobs: their ids, and what else their launcher must know to find them."""

    ids: list[str]
    about: Mapping[str, str] = {}


@dataclass(frozen=True)
class Launcher(ABC):
    """How runs are submitted. What was submitted is looked after by the class alone, whatever the options were.

    Args:
        command: that a job runs, to which `--only` and the names of its runs are added.
        at_once: how many jobs run at the same time, at most.
        runs_per_job: how many runs a job does one after the other, at most.
    """

    command: Sequence[str]
    at_once: int = 16
    runs_per_job: int = 1

    name: ClassVar[str]
    # In the folder of a submission: what is run.
    script_name: ClassVar[str]
    # How a job gets an environment variable.
    secrets_remedy: ClassVar[str]
    # Whether jobs read the files of this machine and write into its folder of results; then one can wait for another
    # that trains its model.
    shares_files: ClassVar[bool] = True
    # Whether jobs are paid for, so that nothing is submitted unasked.
    has_price: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if holds_secret(" ".join(self.command)):
            raise ValueError(
                "The command holds a password or a key, which would be written to the script of its jobs. Leave it to "
                f"an environment variable: {self.secrets_remedy}."
            )

    @abstractmethod
    def script(self, name: str, jobs: Sequence[Job], folder: Path) -> str:
        """What jobs run; their logs go to a folder."""

    @abstractmethod
    def preview(self, jobs: Sequence[Job], seconds: Sequence[float | None], folder: Path) -> str:
        """What would be submitted, for people to read.

        Args:
            seconds: how long each job may take; None: nobody knows.
        """

    def startable(self, jobs: Sequence[Job], n_underway: int) -> Sequence[Job]:
        """Those of the jobs that can be submitted now: a scheduler itself starts no more than may run at once."""
        return jobs

    @abstractmethod
    def submit(self, name: str, jobs: Sequence[Job], folder: Path) -> Submitted:
        """Submits the jobs of a folder with their script, all or none."""

    @abstractmethod
    def begin(self, submitted: Submitted, jobs: Sequence[Job]) -> None:
        """Lets jobs go, once it was written down that they are there."""

    @classmethod
    @abstractmethod
    def tasks(cls, submissions: Collection[Submission]) -> dict[tuple[str, int], Task]:
        """What is known of jobs, by the name of their submission and their number in it."""

    @classmethod
    @abstractmethod
    def cancel(cls, submission: Submission, numbers: Collection[int]) -> None:
        """Ends jobs of a submission."""

    @classmethod
    @abstractmethod
    def fetch(cls, submission: Submission, ended: Collection[int], output: Path) -> None:
        """Brings what jobs have left elsewhere into the folder of results.

        Args:
            ended: the numbers of those that have ended.
        """


def launcher_class(name: str) -> type[Launcher]:
    """The launcher of this name."""
    if name not in LAUNCHERS:
        raise unknown("launcher", name, LAUNCHERS)
    found: type[Launcher] = resolve(LAUNCHERS[name])
    return found
