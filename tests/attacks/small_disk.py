"""A tmpfs of a given size that only this process sees; it goes when the process ends."""

import ctypes
import mmap
import os
from collections.abc import Callable
from pathlib import Path

from tests.attacks.forked import Forked

NEW_MOUNTS, NEW_USER = 0x20000, 0x10000000  # CLONE_NEWNS, CLONE_NEWUSER
REMOUNT, PRIVATE = 0x20, 0x40000 | 0x4000  # MS_REMOUNT; MS_PRIVATE and MS_REC
LIBC = ctypes.CDLL(None, use_errno=True)


def mount(folder: Path, size: int) -> None:
    """Puts an empty disk in the place of a folder, as root or with mounts of a user's own."""
    if LIBC.unshare(NEW_MOUNTS) != 0:
        _checked(LIBC.unshare(NEW_USER | NEW_MOUNTS), "unshare")
    _checked(LIBC.mount(b"none", b"/", None, PRIVATE, None), "mount")
    _mount_tmpfs(folder, size, 0)


def resize(folder: Path, size: int) -> None:
    """Gives the disk another size."""
    _mount_tmpfs(folder, size, REMOUNT)


def why_not(folder: Path) -> str:
    """Why no process can put a disk in the place of a folder, or nothing if one can."""
    with Forked(_try, folder) as forked:
        return forked.received(60) or ""


def _try(send: Callable[[str], None], folder: Path) -> None:
    try:
        mount(folder, mmap.PAGESIZE)
    except OSError as error:
        send(str(error))
    else:
        send("")


def _mount_tmpfs(folder: Path, size: int, flags: int) -> None:
    # No size at all would mean half of the memory.
    pages = max(1, size // mmap.PAGESIZE)
    options = f"size={pages * mmap.PAGESIZE}".encode()
    _checked(LIBC.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", flags, options), "mount")


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
