"""Runs of a results repository to a folder of results: only what is missing, and only what can be believed."""

import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from huggingface_hub.hf_api import RepoFile

from hf_fewshot.files.disk_space import disk_full, free_at
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.hub.manifest import digest
from hf_fewshot.hub.results_repository import FILES, RUNS, ResultsRepository
from hf_fewshot.runs.claim import RunInUseError, claimed_run
from hf_fewshot.runs.failure import forget_failure
from hf_fewshot.runs.record import FILE_NAME, MAX_BYTES, Record, RecordError

# Of models: weights that hold no code, and what says how to use them.
OF_MODELS = re.compile(r"model[\w-]*(/[\w-][\w.-]*){1,3}\.(safetensors|json|txt|model|jinja)", re.ASCII)


@dataclass(frozen=True)
class Pulled:
    """What became of the runs of a repository.

    Args:
        new: those that are here now.
        there: those that were here before, the same.
        refused: why others are not.
    """

    new: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def pull_runs(
    repo_id: str,
    output: str | Path,
    *,
    only: Collection[str] | None = None,
    models: bool = False,
    token: str | None = None,
) -> Pulled:
    """Brings finished runs into a folder of results; what is there stays as it is.

    A record counts when it is whole: predictions come first, it comes last, so that a call which is interrupted can be
    made again. Files that arrived are not fetched again.

    Args:
        repo_id: the dataset repository, such as "user/results".
        output: the folder of results.
        only: the names of runs; None: all.
        models: trained models too.
        token: of the Hub; None: the saved one.
    """
    repository, output = ResultsRepository(repo_id, token), Path(output)
    runs: dict[str, dict[str, RepoFile]] = {}
    for path, entry in repository.files(RUNS).items():
        name, _, within = path.partition("/")
        if _is_wanted(within, models) and (only is None or name in only):
            runs.setdefault(name, {})[within] = entry
    found = Pulled()
    for name, files in sorted(runs.items()):
        if FILE_NAME not in files:
            continue
        try:
            if _is_here(output / name, files[FILE_NAME], repo_id):
                # Its models may have been left out before.
                files = {within: entry for within, entry in files.items() if not (output / name / within).exists()}
                if not files:
                    found.there.append(name)
                    continue
            else:
                _check(repository, name, files[FILE_NAME])
            _pull(repository, name, files, output)
        except (RecordError, RunInUseError) as error:
            found.refused[name] = str(error)
        else:
            found.new.append(name)
    return found


def _is_wanted(within: str, models: bool) -> bool:
    return within in FILES or (models and OF_MODELS.fullmatch(within) is not None)


def _is_here(folder: Path, record: RepoFile, repo_id: str) -> bool:
    """Whether this very record is here already; another one is an error."""
    if not (folder / FILE_NAME).exists():
        return False
    if not digest(folder / FILE_NAME).is_of(record):
        raise RecordError(
            f"{folder} holds another record of this run than {repo_id}; it is kept. To have the other one, move the "
            "folder elsewhere."
        )
    return True


def _check(repository: ResultsRepository, name: str, entry: RepoFile) -> None:
    """Reads a record, and refuses what is none or stands in the place of another run."""
    if entry.size > MAX_BYTES:
        raise RecordError(f"The record of {name} in {repository.repo_id} is larger than {MAX_BYTES:,} bytes.")
    record = Record.read(repository.download(f"{RUNS}/{name}/{FILE_NAME}"))
    # It follows from all that a run asks for, and has nothing in it that could lead elsewhere.
    if record.run.name != name:
        raise RecordError(f"{repository.repo_id} has the record of {record.run.name} in {RUNS}/{name}.")


def _pull(repository: ResultsRepository, name: str, files: Mapping[str, RepoFile], output: Path) -> None:
    needed = sum(entry.size for entry in files.values())
    if free_at(output) < needed:
        raise disk_full(output, name, needed)
    with claimed_run(output / name):
        for within in sorted(files, key=lambda one: one == FILE_NAME):
            content = repository.download(f"{RUNS}/{name}/{within}")
            with whole_file(output / name / within) as unfinished:
                shutil.copyfile(content, unfinished)
        forget_failure(output / name)
