"""A folder of kept vectors: it appears under its name when it is whole, and is checked before it is used."""

import json
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from hf_fewshot.files.abandoned import claimed_folder, remove_abandoned
from hf_fewshot.files.disk_space import allocate, disk_full_explained

FILE, CHECKSUM = "vectors.npy", "vectors.json"
# Folders that are being written, beside those that are whole.
UNFINISHED = ".encoding-"
WHAT = "the vectors of examples"


@contextmanager
def begin(folder: Path, shape: tuple[int, int], dtype: str) -> Iterator[Path]:
    """A new folder beside `folder` with a file of zeros to write vectors to; at the end it is gone or in place."""
    with disk_full_explained(folder.parent, WHAT):
        folder.parent.mkdir(parents=True, exist_ok=True)
    with claimed_folder(folder.with_name(UNFINISHED + secrets.token_hex(8))) as work:
        _allocate(work / FILE, shape, dtype)
        yield work


def _allocate(path: Path, shape: tuple[int, int], dtype: str) -> None:
    """Takes all the space at once: writing to a memory map on a full disk would end the process without a word."""
    kind = np.dtype(dtype)
    header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
    cache = path.parent.parent
    with disk_full_explained(cache, WHAT), path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        size = file.tell() + shape[0] * shape[1] * kind.itemsize
    allocate(path, size, f"a table of {shape[0]:,} vectors of {shape[1]:,} numbers", cache)


def put_in_place(work: Path, folder: Path) -> None:
    """Gives a written folder its name."""
    with disk_full_explained(folder.parent, WHAT):
        (work / CHECKSUM).write_text(json.dumps({"crc32": _crc(work / FILE)}))
        try:
            os.replace(work, folder)
        except OSError:
            # Another run was first; what it wrote is the same.
            if not folder.is_dir():
                raise


def discard_damaged(folder: Path, shape: tuple[int, int], dtype: str) -> None:
    """Removes a folder that is not what was written, and what killed processes left beside it."""
    remove_abandoned(list(folder.parent.glob(f"{UNFINISHED}*")))
    if not folder.is_dir():
        return
    try:
        values = np.load(folder / FILE, mmap_mode="r")
        written = json.loads((folder / CHECKSUM).read_text())
        is_whole = values.shape == shape and values.dtype == dtype and _crc(folder / FILE) == written["crc32"]
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        is_whole = False
    if not is_whole:
        shutil.rmtree(folder)


def _crc(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            value = zlib.crc32(chunk, value)
    return value
