"""What was submitted, written down in the folder of results: later commands know it by that."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file

FOLDER = "slurm"  # beside the folders of runs
FILE_NAME = "submission.json"
SCRIPT = "job.sh"
LOG = "slurm.log"  # in the folder of a run


@dataclass(frozen=True)
class Submission:
    """An array of jobs.

    Args:
        name: of its jobs and of its folder.
        array: the id that Slurm gave it.
        jobs: the runs of each task.
        trainings: what is trained for runs, by their names (see `training_of`).
        cancelled: the numbers of tasks that were cancelled by us.
    """

    name: str
    array: str
    jobs: list[list[str]]
    trainings: dict[str, str] = field(default_factory=dict)
    cancelled: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not (self.array.isascii() and self.array.isdecimal()):
            raise ValueError(f"array={self.array!r} is no id of a job.")

    def write(self, output: Path) -> None:
        """Into its folder; the file appears when it is whole."""
        with whole_file(self.folder(output) / FILE_NAME) as unfinished:
            content = {name: value for name, value in asdict(self).items() if name != "name"}
            unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def folder(self, output: Path) -> Path:
        """Where its script and the logs of its tasks are."""
        return output / FOLDER / self.name

    def log(self, output: Path, number: int) -> Path:
        """What a task printed."""
        return self.folder(output) / f"{number}.log"

    def with_cancelled(self, number: int) -> "Submission":
        return replace(self, cancelled=sorted({*self.cancelled, number}))

    def task(self, number: int) -> str:
        """The id of a task, as Slurm's commands take it."""
        return f"{self.array}_{number}"


def submissions(output: Path) -> Iterator[Submission]:
    """All that was submitted from a folder of results, in the order of time."""
    try:
        folders = sorted((output / FOLDER).iterdir())
    except FileNotFoundError:
        return
    for path in (folder / FILE_NAME for folder in folders if folder.is_dir()):
        try:
            content = strict_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            continue  # it was not submitted, or is about to be
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}. Delete it once none of its jobs is left.") from error
        yield from_mapping(Submission, content, str(path), name=path.parent.name)
