"""Unpacks archives from the network without trusting them."""

import errno
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import IO

from hf_fewshot.files.archive_entries import Entries, UnsafeArchiveError
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.tar_stream import open_tar
from hf_fewshot.files.whole_folder import written_once

__all__ = ["UnsafeArchiveError", "unpack"]

# What the readers raise for an archive that is cut short or garbled; which one depends on the byte.
DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
)
ENCRYPTED = 1 | 1 << 6  # flags of an entry of a zip archive


def unpack(archive: Path, folder: Path) -> Path:
    """The folder below `folder` with the unpacked contents, which appears only when all of it is there."""
    target = folder / f"{archive.stem}-{sha256_of(archive)[:16]}"
    return written_once(target, lambda unfinished: _unpack(archive, unfinished), f"what is in {archive.name}")


def _unpack(archive: Path, folder: Path) -> None:
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, folder)
        elif _is_tar(archive):
            _unpack_tar(archive, folder)
        else:
            raise UnsafeArchiveError(f"{archive} is neither a zip nor a tar archive; delete it and try again.")
    except UnsafeArchiveError:
        raise
    except NotImplementedError as error:
        raise UnsafeArchiveError(
            f"{archive} is packed in a way that is unknown here ({error}). Unpack it and give the folder as data_dir."
        ) from error
    except (*DAMAGE, OSError) as error:
        if _is_of_the_disk(error):
            raise
        reason = str(error) or type(error).__name__
        raise UnsafeArchiveError(f"{archive} is damaged ({reason}); delete it and try again.") from error


def _is_tar(archive: Path) -> bool:
    try:
        with open_tar(archive):
            return True
    except (*DAMAGE, OSError) as error:
        if _is_of_the_disk(error):
            raise
        return False


def _is_of_the_disk(error: BaseException) -> bool:
    """Whether an error says something of the disk; readers raise errors without a number, or seek to no place."""
    return isinstance(error, OSError) and error.errno not in (None, errno.EINVAL)


def _unpack_zip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        listed = Entries(archive)
        for entry in packed.infolist():
            listed.add(entry.filename, entry.file_size, entry.is_dir())
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                what = "a link" if kind == stat.S_IFLNK else "a device"
                raise UnsafeArchiveError(f"{archive} holds {what}, {entry.filename!r}; only plain files are unpacked.")
            if entry.flag_bits & ENCRYPTED:
                raise UnsafeArchiveError(
                    f"{archive} is encrypted ({entry.filename!r} asks for a password). Unpack it with its password, "
                    "and give the folder as data_dir."
                )
        for entry in packed.infolist():
            if not entry.is_dir():
                with packed.open(entry) as source:
                    _write(archive, source, folder / entry.filename, entry.file_size)


def _unpack_tar(archive: Path, folder: Path) -> None:
    with open_tar(archive) as (packed, stream):
        listed = Entries(archive)
        # Checked while they are listed: to list all of a compressed archive is to decompress it.
        for entry in packed:
            listed.add(entry.name, entry.size, entry.isdir())
            if not (entry.isfile() or entry.isdir()):
                raise UnsafeArchiveError(
                    f"{archive} holds {entry.name!r}, which is no plain file; only these are unpacked."
                )
        stream.check_end(packed.offset)
        for entry in packed.getmembers():
            source = packed.extractfile(entry)
            if source is not None:
                with source:
                    _write(archive, source, folder / entry.name, entry.size)


def _write(archive: Path, source: IO[bytes], path: Path, size: int) -> None:
    """Copies one file, never more than the size the archive states: the limits are checked against that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    left = size
    with path.open("wb") as file:
        while chunk := source.read(min(1 << 20, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise UnsafeArchiveError(f"{archive}: {path.name!r} is larger than the archive states.")
            file.write(chunk)
    if left:
        raise UnsafeArchiveError(f"{archive}: {path.name!r} is smaller than the archive states.")
