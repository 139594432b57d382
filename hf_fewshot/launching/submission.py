"""What was submitted, written down in the folder of results: later commands know it by that."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file

FOLDER = "jobs"  # beside the folders of runs
FILE_NAME = "submission.json"
LOG = "job.log"  # in the folder of a run
# As it stands in commands and addresses.
ID = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True)
class Submission:
    """Jobs that were submitted together.

    Args:
        name: of its folder.
        launcher: to which it was handed.
        ids: of the jobs, as the launcher gave them.
        jobs: the runs of each.
        trainings: what is trained for runs, by their names (see `training_of`).
        cancelled: the numbers of jobs that were cancelled by us.
        about: what else the launcher must know to find them.
    """

    name: str
    launcher: str
    ids: list[str]
    jobs: list[list[str]]
    trainings: dict[str, str] = field(default_factory=dict)
    cancelled: list[int] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.ids:
            if not ID.fullmatch(one):
                raise ValueError(f"{one!r} is no id of a job.")
        if len(self.ids) != len(self.jobs) or not self.jobs:
            raise ValueError(f"{len(self.ids)} ids of {len(self.jobs)} jobs.")

    def write(self, output: Path) -> None:
        """Into its folder; the file appears when it is whole."""
        with whole_file(self.folder(output) / FILE_NAME) as unfinished:
            content = {name: value for name, value in asdict(self).items() if name != "name"}
            unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def folder(self, output: Path) -> Path:
        """Where its script and the logs of its jobs are."""
        return output / FOLDER / self.name

    def log(self, output: Path, number: int) -> Path:
        """What a job printed."""
        return self.folder(output) / f"{number}.log"

    def with_cancelled(self, numbers: Iterable[int]) -> "Submission":
        return replace(self, cancelled=sorted({*self.cancelled, *numbers}))


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
