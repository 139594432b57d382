"""Files that appear when they are whole."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hf_fewshot.files.abandoned import claimed, remove_abandoned
from hf_fewshot.files.disk_space import disk_full_explained


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A path to write to; what stands there takes the place of `path` at the end, and nothing is left if it fails.

    What killed processes left behind of the same file is removed.
    """
    path = Path(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with disk_full_explained(path.parent, path.name):
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_abandoned(_unfinished(path))
        with claimed(unfinished):
            try:
                yield unfinished
                with unfinished.open("rb") as file:
                    os.fsync(file.fileno())
                os.replace(unfinished, path)
            finally:
                unfinished.unlink(missing_ok=True)


def _unfinished(path: Path) -> list[Path]:
    """What any process is writing, or was writing, of a file."""
    own = re.compile(rf"\.{re.escape(path.name)}\.\d+")
    return [one for one in path.parent.iterdir() if own.fullmatch(one.name)]
