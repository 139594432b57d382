"""SHA-256 of files, computed once per process while a file stays as it is."""

import hashlib
from functools import lru_cache
from pathlib import Path


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file.

    A copy may keep size and time of modification (st_mtime), but not the time of the change itself (st_ctime).
    """
    stat = path.stat()
    return _sha256(path.absolute(), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


@lru_cache(maxsize=4096)
def _sha256(path: Path, *stamp: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
