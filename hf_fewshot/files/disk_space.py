"""A full disk ends in a sentence: space is taken before it is written to, and errors say what to do."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT)
# What libraries say where they write with code of their own: the errno is in words only, or lost.
SAID = ("no space left on device", "disk quota exceeded", "os error 28", "os error 122")
LOST = ("pytorchstreamwriter failed writing", "file write failed", "unexpected pos")
# With less than this left, a write that failed for no stated reason failed for want of space.
NEXT_TO_NOTHING = 1 << 20


class DiskFullError(OSError):
    """There is no space left where something must be written."""


def disk_full(path: str | Path, what: str, needed: int | None = None) -> DiskFullError:
    """The error of writing `what`, of `needed` bytes if that is known, to a path."""
    asked = "" if needed is None else f" takes {size_in_words(needed)} and"
    free = size_in_words(free_at(path))
    return DiskFullError(
        f"The disk is full: {what}{asked} does not fit in {Path(path).absolute()}, where {free} are free. Free space "
        "there, or write elsewhere (--output for results and models, HF_HOME for caches). What is finished is kept; "
        "the same command goes on."
    )


def free_at(path: str | Path) -> int:
    """The free bytes of the disk that a path is on, or would be on."""
    there = Path(path).absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    return shutil.disk_usage(there).free


def size_in_words(size: int) -> str:
    """Bytes in a unit that people read: 1.5 GB."""
    number = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000:
            return f"{size} bytes" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def allocate(path: Path, size: int, what: str, folder: Path) -> None:
    """Takes `size` bytes for a file, so that writing to it through a memory map cannot end the process (SIGBUS).

    `what` and `folder` are what an error says does not fit, and where.
    """
    if free_at(folder) < size:
        raise disk_full(folder, what, size)
    with disk_full_explained(folder, what, size), path.open("ab") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
            return
        for begin in range(file.tell(), size, 1 << 24):  # macOS has no such call: zeros take the space
            file.write(bytes(min(1 << 24, size - begin)))


@contextmanager
def disk_full_explained(path: str | Path, what: str, needed: int | None = None) -> Iterator[None]:
    """Errors inside that come from a full disk, in whatever guise, become one `DiskFullError`."""
    try:
        yield
    except DiskFullError:
        raise
    except Exception as error:
        if not _means_full(error, path):
            raise
        raise disk_full(path, what, needed) from error


def _means_full(error: BaseException | None, path: str | Path) -> bool:
    """Whether an error, or one that it came from, says that there is no space."""
    while error is not None:
        text = str(error).lower()
        if (isinstance(error, OSError) and error.errno in FULL) or any(words in text for words in SAID):
            return True
        if any(words in text for words in LOST) and free_at(path) < NEXT_TO_NOTHING:
            return True
        error = error.__cause__ or error.__context__
    return False
