"""Tells what a process is still writing from what a killed one has left behind.

Whoever writes holds a lock on a file. The system takes it away when the process ends, however it ends, so a file that
nobody holds a lock on is abandoned. Unlike the number of a process this also holds for containers and for several
machines with one disk.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, and nothing removed
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"  # beside a folder


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """A new, empty file that this process holds a lock on; removing it is left to the caller."""
    number = _claim(path)
    try:
        yield
    finally:
        os.close(number)


@contextmanager
def claimed_folder(path: Path) -> Iterator[Path]:
    """A new folder, which this process holds the lock beside; at the end it is gone, unless moved elsewhere."""
    lock = path.with_name(path.name + LOCK)
    with claimed(lock):
        try:
            path.mkdir()
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _claim(path: Path) -> int:
    while True:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if fcntl is None:
            return number
        fcntl.flock(number, fcntl.LOCK_EX)
        # Between the two lines above another process may have taken it for abandoned.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(number), os.stat(path)):
                return number
        os.close(number)


def remove_abandoned(paths: Iterable[Path]) -> None:
    """Removes the files and folders that no running process holds the lock of."""
    for path in paths:
        lock = path.with_name(path.name + LOCK) if path.is_dir() else path
        # It may be of another user, or gone by now: either way it is not ours to remove.
        with suppress(OSError), _taken_over(lock) as free:
            if free:
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
                lock.unlink(missing_ok=True)


@contextmanager
def _taken_over(lock: Path) -> Iterator[bool]:
    """Whether nobody else holds a lock; it is held meanwhile."""
    if fcntl is None:
        yield False
        return
    try:
        number = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        yield True
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        yield False
        return
    try:
        yield True
    finally:
        os.close(number)
