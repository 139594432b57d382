"""Folders that appear when they are whole."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from hf_fewshot.files.abandoned import claimed_folder, remove_abandoned
from hf_fewshot.files.disk_space import disk_full_explained


@contextmanager
def whole_folder(path: str | Path, what: str | None = None, *, replace: bool = False) -> Iterator[Path]:
    """A new folder to write to, which is at `path` in the end; nothing is left if it fails, nor of killed processes.

    Args:
        what: what an error says does not fit on a full disk (default: the name of the folder).
        replace: a folder that is there makes room for the new one when that is whole.
    """
    path = Path(path)
    own = re.compile(rf"\.{re.escape(path.name)}\.\d+(\.lock)?")
    with disk_full_explained(path.parent, what or path.name):
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_abandoned(sorted(one for one in path.parent.iterdir() if own.fullmatch(one.name)))
        with claimed_folder(path.with_name(f".{path.name}.{os.getpid()}")) as unfinished:
            yield unfinished
            if replace and path.is_dir():
                # Two moves, since no system has one for folders that are not empty.
                before = unfinished.with_name(f"{unfinished.name}.before")
                os.rename(path, before)
                os.rename(unfinished, path)
                shutil.rmtree(before)
            else:
                os.rename(unfinished, path)


def written_once(path: Path, write: Callable[[Path], None], what: str) -> Path:
    """The folder at `path`, which `write` fills unless it is there; of several processes one does, and others wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock"):
        if not path.is_dir():
            with whole_folder(path, what) as unfinished:
                write(unfinished)
    return path
