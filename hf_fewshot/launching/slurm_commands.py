"""Slurm's own commands, and what they say."""

import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from hf_fewshot.launching.launcher import LauncherError

SECONDS = 300  # a busy controller answers late
# Of tasks that have ended, squeue knows a few minutes more; accounting is a database that not every cluster has.
FORMAT = "%F|%K|%T|%r|%j"
WAITING = frozenset(("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD"))
RUNNING = frozenset(("RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "RESIZING", "STAGE_OUT"))
NO_SUCH_JOB = "Invalid job id specified"


class ArrayTask(NamedTuple):
    """A task of an array as Slurm sees it: its state, such as RUNNING, why it is in it, and its name."""

    state: str
    reason: str
    name: str

    @property
    def is_waiting(self) -> bool:
        return self.state in WAITING

    @property
    def is_running(self) -> bool:
        return self.state in RUNNING


def submit(script: Path) -> str:
    """Submits a script; the id of its array, which waits to be released."""
    said = _said("sbatch", "--parsable", "--hold", str(script))
    identity = said.strip().partition(";")[0]  # with several clusters, the name of one comes after
    if not identity.isdecimal():
        raise LauncherError(
            f"sbatch printed {said!r} instead of the id of a job. Look with squeue whether there is one."
        )
    return identity


def make_wait(array: str, numbers: Collection[int], after: str) -> None:
    """Tasks of an array wait until another one has ended, however it ended."""
    chosen = ",".join(map(str, sorted(numbers)))
    _said("scontrol", "update", f"JobId={array}_[{chosen}]", f"Dependency=afterany:{after}")


def release(array: str) -> None:
    """Lets a held array go."""
    try:
        _said("scontrol", "release", array)
    except LauncherError as error:
        raise LauncherError(f"{error}. The jobs are held; `scontrol release {array}` lets them go.") from error


def cancel(tasks: Iterable[str]) -> None:
    """Ends tasks, given as `array_number`."""
    _said("scancel", *tasks)


def tasks(arrays: Collection[str]) -> dict[tuple[str, int], ArrayTask]:
    """What Slurm knows of the tasks of arrays, by id and number; of those that ended long ago it knows nothing."""
    if not arrays:
        return {}
    try:
        said = _said(
            "squeue",
            "--noheader",
            "--array",
            "--states=all",
            f"--jobs={','.join(sorted(arrays))}",
            f"--format={FORMAT}",
        )
    except LauncherError as error:
        if NO_SUCH_JOB in str(error):
            return {}
        raise
    return read_tasks(said)


def read_tasks(said: str) -> dict[tuple[str, int], ArrayTask]:
    """The lines of squeue in our format."""
    found = {}
    for line in said.splitlines():
        array, number, state, reason, name = line.split("|", 4)
        if number.isdecimal():
            found[array.strip(), int(number)] = ArrayTask(state, reason, name)
    return found


def _said(program: str, *arguments: str) -> str:
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=SECONDS)
    except FileNotFoundError:
        raise LauncherError(
            f"There is no {program} on this machine, so it cannot talk to Slurm. Go to a machine of the cluster from "
            "which jobs are submitted, or run without --launcher."
        ) from None
    except subprocess.TimeoutExpired:
        raise LauncherError(f"{program} did not answer within {SECONDS} seconds. Try again later.") from None
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or f"it ended with code {done.returncode} and said nothing"
        raise LauncherError(f"{program} refused: {said}")
    return done.stdout
