"""The records of many runs, below folders and in repositories."""

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hf_fewshot.files.at_hand import NotAtHandError
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.runs.agreement import Agreement
from hf_fewshot.runs.places import Place, place_of
from hf_fewshot.runs.record import FILE_NAME, Record, RecordError
from hf_fewshot.runs.records import Records

# Where a run that is made again leaves what was there: to be kept, not to be counted.
EARLIER = "earlier"
LOCK = ".lock"  # of the process that works on a run


@dataclass(frozen=True)
class Found:
    """The records below some places by their folders, and why others are left out.

    Args:
        records: those of this machine first.
        left_out: a sentence for each record, repository or copy that does not count.
        places: that were read.
    """

    records: dict[Path, Record] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def number_in(self, place: Place) -> int:
        """How many of the records stand in a place."""
        return sum(folder.is_relative_to(place.folder) for folder in self.records)


def record_folders(place: Path) -> list[Path]:
    """The folders with a record below a folder, at any depth, in a fixed order; without those that were made again."""
    found = (path.parent for path in sorted(place.rglob(FILE_NAME)))
    return [folder for folder in found if EARLIER not in folder.relative_to(place).parts]


def find_records(*places: str | Path) -> Found:
    """The records below places that can be believed; what cannot is named and left out.

    That is: damaged records, records whose score does not follow from their units, different records of one run;
    repositories that cannot be read, and records in them that contradict those of the places before.

    Args:
        places: folders, or repositories on the Hub (see `place_of`). Folders are believed first, whatever the order.
    """
    found = Found()
    for where in places:
        try:
            found.places.append(place_of(where))
        except (DownloadError, NotAtHandError) as error:
            found.left_out.append(str(error))
    names: dict[Path, str] = {}
    agreement = Agreement()
    for place in sorted(found.places, key=lambda place: bool(place.repository)):
        for folder in record_folders(place.folder):
            if folder in names:
                continue
            names[folder] = place.named(folder)
            try:
                record = Record.read(folder, str(place) if place.repository else "")
            except (RecordError, OSError) as error:
                found.left_out.append(str(error))
                continue
            contradiction = agreement.contradiction(record, names[folder])
            if contradiction is None:
                found.records[folder] = record
            else:
                found.left_out.append(contradiction)
    _leave_out_copies(found, names)
    return found


def _leave_out_copies(found: Found, names: Mapping[Path, str]) -> None:
    """A run counts once; of different records of one run none does, unless they are of different owners."""
    of_run: dict[str, list[Path]] = {}
    for folder, record in found.records.items():
        of_run.setdefault(record.run.digest, []).append(folder)
    for folders in (folders for folders in of_run.values() if len(folders) > 1):
        owners = [found.records[folder].owner for folder in folders]
        for owner in dict.fromkeys(owners):
            own = [folder for folder, one in zip(folders, owners, strict=True) if one == owner]
            if len({_result(found.records[folder]) for folder in own}) > 1:
                found.left_out.append(
                    f"The same run stands in {', '.join(names[folder] for folder in own)} and differs, so none of "
                    "them is used. Keep the one that is right."
                )
                for folder in own:
                    del found.records[folder]
        copies: dict[str, list[Path]] = {}
        for folder in folders:
            if folder in found.records:
                copies.setdefault(_result(found.records[folder]), []).append(folder)
        for same in copies.values():
            for folder in same[1:]:
                del found.records[folder]
            if len(same) > 1:
                found.left_out.append(
                    f"The same run stands in {', '.join(names[folder] for folder in same)} and is counted once."
                )


def read_records(*places: str | Path) -> Records:
    """The records below places, folders or repositories; all that cannot be believed is named in one error."""
    found = find_records(*places)
    if found.left_out:
        raise RecordError("\n".join(found.left_out))
    return Records(found.records.values())


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
        together.setdefault(record.cell, []).append(record)
    return list(together.values())


def _result(record: Record) -> str:
    """The content of a record without the circumstances under which it was made."""
    plain = replace(record, environment={}, started="", seconds={}, command="", depends_on={}, origin="")
    return json.dumps({**vars(plain), "run": plain.run.written}, sort_keys=True)
