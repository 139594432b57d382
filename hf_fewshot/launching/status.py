"""How far runs are: done, running, waiting, failed and why, or missing."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hf_fewshot.launching.launcher import Task, launcher_class
from hf_fewshot.launching.submission import Submission, submissions
from hf_fewshot.runs.failure import read_failure
from hf_fewshot.runs.record import FILE_NAME

DONE, RUNNING, WAITING, FAILED, MISSING = "done", "running", "waiting", "failed", "missing"
STATES = (DONE, RUNNING, WAITING, FAILED, MISSING)
LAST_BYTES = 4096


class Place(NamedTuple):
    """Where a run was submitted last: which submission, which of its jobs, and what its launcher knows of it."""

    submission: Submission
    number: int
    task: Task | None

    @property
    def id(self) -> str:
        """Of the job, as its launcher gave it."""
        return self.submission.ids[self.number]

    @property
    def is_underway(self) -> bool:
        """Whether it waits or runs."""
        return self.task is not None and self.task.is_underway

    def mark(self, output: Path) -> Path:
        """A file that was written when it was submitted."""
        return self.submission.folder(output) / launcher_class(self.submission.launcher).script_name


class RunState(NamedTuple):
    """How far a run is; `reason` says why it waits or failed, `job` is the one that it was submitted with last."""

    name: str
    state: str
    reason: str = ""
    job: str = ""

    @property
    def is_open(self) -> bool:
        """Whether something is still to come without anybody doing anything."""
        return self.state in (RUNNING, WAITING)


def places(names: Sequence[str], output: Path) -> dict[str, Place]:
    """Where runs were submitted last, of those that were."""
    last: dict[str, tuple[Submission, int]] = {}
    for one in submissions(output):
        last |= {name: (one, number) for number, runs in enumerate(one.jobs) for name in runs}
    chosen = {name: last[name] for name in names if name in last}
    of_launcher: dict[str, dict[str, Submission]] = {}
    for submission, _ in chosen.values():
        of_launcher.setdefault(submission.launcher, {})[submission.name] = submission
    known: dict[tuple[str, int], Task] = {}
    for launcher, theirs in of_launcher.items():
        known |= launcher_class(launcher).tasks(theirs.values())
    return {
        name: Place(submission, number, known.get((submission.name, number)))
        for name, (submission, number) in chosen.items()
    }


def run_states(names: Sequence[str], output: Path) -> list[RunState]:
    """How far each of the runs is; what their jobs have left elsewhere is brought into the folder of results."""
    submitted = places(names, output)
    _fetch(submitted.values(), output)
    return [state_of(name, output, submitted.get(name)) for name in names]


def _fetch(submitted: Collection[Place], output: Path) -> None:
    ended: dict[str, set[int]] = {}
    for place in submitted:
        numbers = ended.setdefault(place.submission.name, set())
        if not place.is_underway:
            numbers.add(place.number)
    for submission in {place.submission.name: place.submission for place in submitted}.values():
        launcher_class(submission.launcher).fetch(submission, ended[submission.name], output)


def state_of(name: str, output: Path, place: Place | None) -> RunState:
    """How far a run is by what lies in the folder of results, and by its job."""
    folder = output / name
    record, failure = folder / FILE_NAME, read_failure(folder)
    job = "" if place is None else place.id
    if place is None or not place.is_underway:
        if record.exists():
            return RunState(name, DONE, job=job)
        if failure is not None:
            return RunState(name, FAILED, failure, job)
        return RunState(name, MISSING) if place is None else RunState(name, FAILED, _end(place, output), job)
    # A run that is made again has a record from before.
    if _is_newer(record, place.mark(output)):
        return RunState(name, DONE, job=job)
    if failure is not None:
        return RunState(name, FAILED, failure, job)
    assert place.task is not None
    if place.task.is_waiting:
        return RunState(name, WAITING, place.task.reason, job)
    if name != next(_to_do(place, output), name):
        return RunState(name, WAITING, "for another run of its job", job)
    return RunState(name, RUNNING, job=job)


def _to_do(place: Place, output: Path) -> Iterator[str]:
    """The runs of a job that are neither done nor have failed."""
    since = place.mark(output)
    for name in place.submission.jobs[place.number]:
        if not _is_newer(output / name / FILE_NAME, since) and read_failure(output / name) is None:
            yield name


def _is_newer(path: Path, other: Path) -> bool:
    return path.exists() and (not other.exists() or path.stat().st_mtime_ns >= other.stat().st_mtime_ns)


def _end(place: Place, output: Path) -> str:
    """What can be said of a job that ended without a word of the run itself."""
    if place.number in place.submission.cancelled:
        return "cancelled"
    state = "ended" if place.task is None else place.task.state.replace("_", " ").lower()
    return f"{state}; its log ends with: {_last_line(place.submission.log(output, place.number))}"


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - LAST_BYTES))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return "nothing, it never began"
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "nothing")
