"""A folder with the records of many runs."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hf_fewshot.runs.record import FILE_NAME, Record, RecordError

# Where a run that is made again leaves what was there: to be kept, not to be counted.
EARLIER = "earlier"
LOCK = ".lock"  # of the process that works on a run


@dataclass(frozen=True)
class Found:
    """The records below some places by their folders, and why others are left out."""

    records: dict[Path, Record] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def record_folders(*places: str | Path) -> list[Path]:
    """The folders with a record below places, at any depth, in a fixed order; without those that were made again."""
    folders: dict[Path, None] = {}
    for place in map(Path, places):
        if not place.is_dir():
            raise ValueError(f"{place} is no folder. Give a folder with results of `hf-fewshot run`.")
        paths = (path.parent for path in sorted(place.rglob(FILE_NAME)))
        folders |= dict.fromkeys(path for path in paths if EARLIER not in path.relative_to(place).parts)
    return list(folders)


def find_records(*places: str | Path) -> Found:
    """The records below places that can be believed; what cannot is named and left out.

    That is: damaged records, records whose score does not follow from their units, and different records of one run.
    """
    found = Found()
    of_run: dict[str, list[Path]] = {}
    for folder in record_folders(*places):
        try:
            record = Record.read(folder)
        except (RecordError, OSError) as error:
            found.left_out.append(str(error))
            continue
        found.records[folder] = record
        of_run.setdefault(record.run.digest, []).append(folder)
    for folders in of_run.values():
        if len(folders) == 1:
            continue
        results = [_result(found.records[folder]) for folder in folders]
        same = all(result == results[0] for result in results)
        for folder in folders[1:] if same else folders:
            del found.records[folder]
        what = "is counted once" if same else "differs, so none of them is used. Keep the one that is right"
        found.left_out.append(f"The same run stands in {', '.join(map(str, folders))} and {what}.")
    return found


def read_records(*places: str | Path) -> list[Record]:
    """The records below places; all that cannot be believed is named in one error."""
    found = find_records(*places)
    if found.left_out:
        raise RecordError("\n".join(found.left_out))
    return list(found.records.values())


def set_aside(folder: Path) -> Path:
    """Moves what a run left into the folder of earlier results; the record last, so that it can be begun again."""
    path = folder / FILE_NAME
    made = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(path.stat().st_mtime))
    earlier = folder.parent / EARLIER / f"{folder.name}_{made}"
    earlier.mkdir(parents=True, exist_ok=True)
    for one in sorted(folder.iterdir(), key=lambda one: (one == path, one.name)):
        if one.is_symlink():
            target = one.resolve()
            one.unlink()
            (earlier / one.name).symlink_to(os.path.relpath(target, earlier))
        elif one.name != LOCK:
            os.replace(one, earlier / one.name)
    return earlier


def cells(records: Iterable[Record]) -> list[list[Record]]:
    """Records of the same method in the same setting, which differ in seeds and draws only, together."""
    together: dict[tuple, list[Record]] = {}
    for record in records:
        together.setdefault(record.run.cell, []).append(record)
    return list(together.values())


def _result(record: Record) -> Record:
    """The record without the circumstances under which it was made."""
    return replace(record, environment={}, started="", seconds={}, command="", depends_on={})
