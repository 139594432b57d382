"""What an annotator did, line by line: on disk before anybody hears of it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.files.disk_space import disk_full_explained
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.people.plan import StudyError


class Log:
    """A file of JSON lines that only grows.

    Args:
        path: of the file; it is made where it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_full_explained(path.parent, path.name):
            path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not path.exists()
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            if is_new:
                _sync_folder(path.parent)
        # What a crash left of a line was never answered for.
        self._size = _whole_lines(path.read_bytes())
        os.ftruncate(self._file, self._size)

    def append(self, event: Mapping[str, Any]) -> None:
        """Adds an event. It is on disk when this returns; where it cannot be, the file is as it was before."""
        line = (json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n").encode()
        try:
            with disk_full_explained(self.path.parent, self.path.name):
                written = 0
                while written < len(line):
                    written += os.write(self._file, line[written:])
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(line)

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)


def read_log(path: Path) -> list[dict[str, Any]]:
    """All events; a last line that a crash has torn is none."""
    data = path.read_bytes()
    events = []
    for number, line in enumerate(data[: _whole_lines(data)].splitlines(), start=1):
        try:
            event = strict_json(line.decode())
            if not isinstance(event, dict):
                raise ValueError("it is no object")
        except ValueError as error:
            raise StudyError(
                f"{path}, line {number}, is damaged: {error}. Restore the file; to go on without what follows, remove "
                "this line and all after it."
            ) from error
        events.append(event)
    return events


def _whole_lines(data: bytes) -> int:
    """How many bytes whole lines are."""
    return data.rfind(b"\n") + 1


def _sync_folder(folder: Path) -> None:
    """Has the name of a new file on disk, too."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
