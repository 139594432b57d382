"""Tar archives as streams that are read in pieces, with or without compression."""

import bz2
import gzip
import lzma
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from hf_fewshot.files.archive_entries import MAX_BYTES, MAX_FILES, UnsafeArchiveError

OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
# Contents are copied in pieces; only a header that lies about its length asks for more at once.
LARGEST_READ = 16 << 20
# Of names and other headers, beside the contents.
MAX_HEADERS = MAX_FILES * 4 * tarfile.BLOCKSIZE


class Entry(tarfile.TarInfo):
    """An entry whose sizes are not negative: with such ones, reading would go in circles."""

    def _block(self, count: int) -> int:
        if count < 0:
            raise tarfile.ReadError("an entry has a negative size")
        return super()._block(count)  # type: ignore[misc]


class TarStream:
    """The bytes of a tar archive."""

    def __init__(self, archive: Path, file: IO[bytes]) -> None:
        self.archive = archive
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Some bytes; a request for all of them, or for very many, is an error."""
        if not 0 <= size <= LARGEST_READ:
            raise UnsafeArchiveError(
                f"{self.archive} is damaged (a header of {size:,} bytes); delete it and try again."
            )
        return self._file.read(size)

    def seek(self, offset: int) -> int:
        """Goes to a place."""
        return self._file.seek(offset)

    def tell(self) -> int:
        """The place."""
        return self._file.tell()

    def check_end(self, offset: int) -> None:
        """The entries end at `offset` with the mark of the end, and what follows can be read, checksums and all."""
        self.seek(offset)
        mark = self.read(tarfile.BLOCKSIZE)
        if len(mark) < tarfile.BLOCKSIZE or any(mark):
            raise tarfile.ReadError("its list of files does not end as it should")
        while chunk := self.read(1 << 20):
            offset += len(chunk)
            if offset > MAX_BYTES + MAX_HEADERS:
                raise UnsafeArchiveError(f"{self.archive} has more than {MAX_BYTES:,} bytes, which is the limit.")


@contextmanager
def open_tar(archive: Path) -> Iterator[tuple[tarfile.TarFile, TarStream]]:
    """A tar archive and its bytes; one that is none is a `tarfile.ReadError`."""
    with archive.open("rb") as plain:
        magic = plain.read(6)
    opener = next((opener for start, opener in OPENERS.items() if magic.startswith(start)), open)
    with opener(archive, "rb") as file:
        stream = TarStream(archive, file)
        with tarfile.open(fileobj=stream, mode="r:", tarinfo=Entry) as packed:  # type: ignore[call-overload]
            yield packed, stream
