"""What jobs far away are told: the command, the runs of each, and where their results go."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json

FILE_NAME = "plan.json"
FILES = "files"  # what of the current folder was shipped, beside the plan


@dataclass(frozen=True)
class JobPlan:
    """What stands beside the script of jobs.

    Args:
        name: of the submission.
        command: words behind hf-fewshot, to which `--output`, `--only` and names of runs are added.
        jobs: the runs of each job.
        repository: the dataset repository for results.
        secrets: the names of environment variables whose values are shown nowhere.
        models: whether trained models are uploaded too.
    """

    name: str
    command: list[str]
    jobs: list[list[str]]
    repository: str
    secrets: list[str]
    models: bool = False

    @property
    def content(self) -> bytes:
        """As it is written."""
        return (json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n").encode()

    @classmethod
    def read(cls, folder: Path) -> "JobPlan":
        """The plan in a folder."""
        path = folder / FILE_NAME
        return from_mapping(cls, strict_json(path.read_text(encoding="utf-8")), str(path))
