"""A folder with the records of many runs."""

from collections.abc import Iterable
from pathlib import Path

from hf_fewshot.results.record import FILE_NAME, Record, RecordError


def record_folders(*places: str | Path) -> list[Path]:
    """The folders with a record below places, at any depth, in a fixed order."""
    folders: dict[Path, None] = {}
    for place in map(Path, places):
        if not place.is_dir():
            raise ValueError(f"{place} is no folder. Give a folder with results of `hf-fewshot run`.")
        folders |= dict.fromkeys(path.parent for path in sorted(place.rglob(FILE_NAME)))
    return list(folders)


def read_records(*places: str | Path) -> list[Record]:
    """The records below places; damaged ones are all named in one error."""
    records, damaged = [], []
    for folder in record_folders(*places):
        try:
            records.append(Record.read(folder))
        except RecordError as error:
            damaged.append(str(error))
    if damaged:
        raise RecordError("\n".join(damaged))
    return records


def cells(records: Iterable[Record]) -> list[list[Record]]:
    """Records of the same method in the same setting, which differ in seeds and draws only, together."""
    together: dict[tuple, list[Record]] = {}
    for record in records:
        together.setdefault(record.run.cell, []).append(record)
    return list(together.values())
