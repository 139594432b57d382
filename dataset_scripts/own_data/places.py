"""Where the parts of data of one's own are."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.labelled.hub import load_split
from hf_fewshot.labelled.sources import SUFFIXES, is_file

DATA = "data"  # what has no splits
# Names of files of splits, before their suffix.
STEMS = {TRAIN: ("train",), VALIDATION: ("validation", "valid", "dev", "val"), TEST: ("test",)}


def places_of(benchmark: str, data_dir: str | None, test_data: str | None) -> dict[str, str]:
    """The place of the data, or of each of its splits: files, folders or names of Hub datasets.

    A folder with files named by splits (train.csv, dev.csv, test.csv) has splits of its own.
    """
    if data_dir is None:
        raise RawFilesNotFoundError(
            f"{benchmark} reads data of your own: give data_dir=<file, folder or hub:org/name:split>, on the command "
            "line --data. To try things out without data: sample=True."
        )
    folder = Path(data_dir).expanduser()
    found = _by_split(folder) if folder.is_dir() else {}
    if not found:
        return {DATA: data_dir} if test_data is None else {DATA: data_dir, TEST: test_data}
    if TRAIN not in found:
        raise ValueError(
            f"{folder} holds {', '.join(map(str, found.values()))}, but no train file. Add or rename one."
        )
    if test_data is not None:
        if TEST in found:
            raise ValueError(
                f"{folder} has a test file, and test_data={test_data!r} is another one. Give one of them."
            )
        found[TEST] = test_data
    return found


def _by_split(folder: Path) -> dict[str, str]:
    found = {}
    for split, stems in STEMS.items():
        files = sorted(path for path in folder.iterdir() if path.stem in stems and path.suffix.lower() in SUFFIXES)
        if len(files) > 1:
            names = ", ".join(path.name for path in files)
            raise ValueError(f"{folder} holds several files for split {split!r}: {names}. Leave one, or name it.")
        if files:
            found[split] = str(files[0])
    return found


def stamp(place: str) -> Any:
    """What changes when the content of a place does: cheap for a file."""
    if not is_file(place):
        return rows_digest(place)
    path = Path(place).expanduser()
    # A copy may keep size and time of modification, but not the time of the change itself.
    stat = path.stat()
    return (str(path.absolute()), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


def digest(place: str) -> str:
    """SHA-256 of a file, or of the rows of a folder or a Hub dataset."""
    return sha256_of(Path(place).expanduser()) if is_file(place) else rows_digest(place)


@lru_cache(maxsize=64)
def rows_digest(place: str) -> str:
    """SHA-256 of the rows of a folder or a Hub dataset, read once per process."""
    found = hashlib.sha256()
    for row in load_split(place).to_list():
        found.update(json.dumps(row, ensure_ascii=False, sort_keys=True, default=str).encode() + b"\n")
    return found.hexdigest()
