"""What an archive lists, checked one by one before anything is written."""

from pathlib import Path, PurePosixPath

# Few-NERD's episodes, the largest archive we read, unpack to about 2 GB.
MAX_BYTES = 8 << 30
MAX_FILES = 100_000
MAX_DEPTH = 50
MAX_NAME = 255  # bytes; what file systems take


class UnsafeArchiveError(ValueError):
    """An archive that would write outside its folder or without limit, or that is damaged."""


class Entries:
    """The entries of an archive so far; one that may not be unpacked is an error."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.total = self.count = 0
        self._files: set[PurePosixPath] = set()
        self._folders: set[PurePosixPath] = set()

    def add(self, name: str, size: int, is_folder: bool) -> None:
        """Counts an entry: its size is the one it has when unpacked, so that holes of sparse files count too."""
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            raise UnsafeArchiveError(f"{self.archive} holds {name!r}, which would be written outside its folder.")
        if size < 0:
            raise UnsafeArchiveError(
                f"{self.archive} is damaged ({name!r} has {size} bytes); delete it and try again."
            )
        self.count += 1
        self.total += size
        if self.total > MAX_BYTES or self.count > MAX_FILES:
            raise UnsafeArchiveError(
                f"{self.archive} would unpack to at least {self.total:,} bytes in {self.count:,} files; the limits "
                f"are {MAX_BYTES:,} and {MAX_FILES:,}."
            )
        self._check_name(name, PurePosixPath(name), is_folder)

    def _check_name(self, name: str, path: PurePosixPath, is_folder: bool) -> None:
        longest = max((len(part.encode("utf-8", "surrogateescape")) for part in path.parts), default=0)
        if len(path.parts) > MAX_DEPTH or longest > MAX_NAME or "\0" in name or (not path.parts and not is_folder):
            shown = name if len(name) <= 100 else f"{name[:100]}..."
            raise UnsafeArchiveError(f"{self.archive} holds {shown!r}, which is no name that a file can have here.")
        folders = {*path.parents, path} if is_folder else {*path.parents}
        if (not is_folder and (path in self._files or path in self._folders)) or folders & self._files:
            raise UnsafeArchiveError(f"{self.archive} holds {name!r} twice, or both as a file and as a folder.")
        self._folders |= folders
        if not is_folder:
            self._files.add(path)
