"""Results of runs in a dataset repository: jobs far away leave them there, one commit after the other."""

import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import validate_repo_id

from hf_fewshot.hub.access import hub_access
from hf_fewshot.hub.gathered import gather
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.secrets import refuse_secrets
from hf_fewshot.runs.analysis_file import FILE_NAME as ANALYSIS
from hf_fewshot.runs.record import FILE_NAME

RUNS, JOBS = "runs", "jobs"
# What comes of a run; the record last, as everywhere.
FILES = ("predictions.jsonl", "browse.jsonl", ANALYSIS, FILE_NAME)
# Answers after which the same commit may succeed: others commit too, or the Hub is busy.
PASSING = (409, 412, 429, 500, 502, 503, 504)
ATTEMPTS = 8
SECONDS = 2.0  # before the second attempt; twice as long before each further one


class ResultsRepository:
    """A dataset repository with folders of runs, and of jobs that make some.

    Args:
        repo_id: such as "user/results".
        token: of the Hub; None: the saved one.
    """

    def __init__(self, repo_id: str, token: str | None = None) -> None:
        validate_repo_id(repo_id)
        if "/" not in repo_id:
            raise ValueError(f"Expected a repository such as 'user/{repo_id}', got {repo_id!r}.")
        self.repo_id = repo_id
        self.token = token

    def create(self) -> None:
        """Makes a private one, unless it is there."""
        with hub_access(self.repo_id, self.token) as api:
            api.create_repo(self.repo_id, repo_type="dataset", private=True, exist_ok=True)

    def upload(self, files: Mapping[str, Content], message: str) -> str:
        """Adds files in one commit, and gives its id; beside others that do so at the same time."""
        refuse_secrets(files, self.token)
        # Operations are made anew for each attempt: the client marks in them what it has sent.
        with hub_access(self.repo_id, self.token) as api:
            return _commit(api, self.repo_id, files, message)

    def files(self, folder: str) -> dict[str, RepoFile]:
        """The files below a folder, by their paths in it; none if it is not there."""
        with hub_access(self.repo_id, self.token) as api:
            return {entry.path.removeprefix(f"{folder}/"): entry for entry in _tree(api, self.repo_id, folder)}

    def download(self, path: str) -> Path:
        """The file in the cache of the Hub, to which it is downloaded first where needed."""
        with hub_access(self.repo_id, self.token) as api:
            return Path(api.hf_hub_download(self.repo_id, path, repo_type="dataset"))


def run_files(folder: Path, *, models: bool = False) -> dict[str, Content]:
    """What of the folder of a finished run is uploaded, by the paths in the repository.

    Args:
        models: its trained models too.
    """
    found: dict[str, Content] = {name: folder / name for name in FILES if (folder / name).is_file()}
    for model in sorted(folder.glob("model*")) if models else ():
        # Runs link to the models that the results keep.
        kept = gather(model.resolve()).files if model.is_dir() else {}
        found |= {f"{model.name}/{name}": path for name, path in kept.items() if path.suffix != ".bin"}
    return {f"{RUNS}/{folder.name}/{name}": content for name, content in found.items()}


def _commit(api: HfApi, repo_id: str, files: Mapping[str, Content], message: str) -> str:
    wait = SECONDS
    for attempt in range(1, ATTEMPTS + 1):
        operations = [CommitOperationAdd(path, files[path]) for path in sorted(files)]
        try:
            done = api.create_commit(repo_id, operations, commit_message=message, repo_type="dataset")
        except HfHubHTTPError as error:
            if error.response.status_code not in PASSING or attempt == ATTEMPTS:
                raise
            # Jobs that were turned away together must not come back together.
            time.sleep(wait * random.uniform(0.5, 1.5))
            wait *= 2
        else:
            break
    return str(done.oid)


def _tree(api: HfApi, repo_id: str, folder: str) -> Iterator[RepoFile]:
    try:
        for entry in api.list_repo_tree(repo_id, folder, repo_type="dataset", recursive=True):
            if isinstance(entry, RepoFile):
                yield entry
    except EntryNotFoundError:
        return
