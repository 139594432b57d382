"""Unpacks archives from the network without trusting them."""

import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from filelock import FileLock

from hf_fewshot.file_hashes import sha256_of

# Few-NERD's episodes, the largest archive we read, unpack to about 2 GB.
MAX_BYTES = 8 << 30
MAX_FILES = 100_000

# What the readers raise for an archive that is cut short or garbled.
DAMAGE = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError)


class UnsafeArchiveError(ValueError):
    """An archive that would write outside its folder or without limit, or that is damaged."""


def unpack(archive: Path, folder: Path) -> Path:
    """The folder below `folder` with the unpacked contents, which appears only when all of it is there."""
    target = folder / f"{archive.stem}-{sha256_of(archive)[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        if target.is_dir():
            return target
        unfinished = folder / f".unpacking-{target.name}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        try:
            if zipfile.is_zipfile(archive):
                _unpack_zip(archive, unfinished)
            elif tarfile.is_tarfile(archive):
                _unpack_tar(archive, unfinished)
            else:
                raise UnsafeArchiveError(f"{archive} is neither a zip nor a tar archive; delete it and try again.")
            os.replace(unfinished, target)
        except DAMAGE as error:
            raise UnsafeArchiveError(f"{archive} is damaged ({error}); delete it and try again.") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return target


def _unpack_zip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        entries = packed.infolist()
        _check(archive, [(entry.filename, entry.file_size) for entry in entries])
        for entry in entries:
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise UnsafeArchiveError(f"{archive} holds a link, {entry.filename!r}; only plain files are unpacked.")
            if not entry.is_dir():
                with packed.open(entry) as source:
                    _write(archive, source, folder / entry.filename, entry.file_size)


def _unpack_tar(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        # Checked while they are listed: to list all of a compressed archive is to decompress it.
        _check(archive, ((entry.name, entry.size) for entry in packed))
        for entry in packed.getmembers():
            if not (entry.isfile() or entry.isdir()):
                raise UnsafeArchiveError(
                    f"{archive} holds {entry.name!r}, which is no plain file; only these are unpacked."
                )
            source = packed.extractfile(entry)
            if source is not None:
                with source:
                    _write(archive, source, folder / entry.name, entry.size)


def _check(archive: Path, entries: Iterable[tuple[str, int]]) -> None:
    total = 0
    for number, (name, size) in enumerate(entries, start=1):
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            raise UnsafeArchiveError(f"{archive} holds {name!r}, which would be written outside its folder.")
        total += size
        if total > MAX_BYTES or number > MAX_FILES:
            raise UnsafeArchiveError(
                f"{archive} would unpack to at least {total:,} bytes in {number:,} files; the limits are "
                f"{MAX_BYTES:,} and {MAX_FILES:,}."
            )


def _write(archive: Path, source: object, path: Path, size: int) -> None:
    """Copies one file, never more than the size the archive states: the limits are checked against that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    left = size
    with path.open("wb") as file:
        while chunk := source.read(min(1 << 20, left + 1)):  # type: ignore[attr-defined]
            left -= len(chunk)
            if left < 0:
                raise UnsafeArchiveError(f"{archive}: {path.name!r} is larger than the archive states.")
            file.write(chunk)
    if left:
        raise UnsafeArchiveError(f"{archive}: {path.name!r} is smaller than the archive states.")
