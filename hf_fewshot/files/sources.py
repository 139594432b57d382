"""Finds the raw files of a benchmark: in `data_dir`, on a mirror, or at their authors'.

`HF_FEWSHOT_MIRROR` is a folder or a base URL that holds the authors' repositories by name, for example
`<mirror>/CLUES/data/JSON/...`. User and password of the URL are sent to its host only, and shown nowhere. Downloads
are kept in the datasets cache of Hugging Face.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from huggingface_hub import constants

from hf_fewshot.files.archives import unpack
from hf_fewshot.files.at_hand import may_fetch
from hf_fewshot.files.downloads import DownloadError, download, downloaded
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.text.address import Address
from hf_fewshot.text.redaction import redacted

MIRROR = "HF_FEWSHOT_MIRROR"


class RawFilesNotFoundError(FileNotFoundError):
    """No way led to the raw files of a benchmark."""


@dataclass(frozen=True)
class Repository:
    """Where the authors of a benchmark keep its files.

    `url` is a prefix to which a file's path is added, or None where the files cannot be downloaded. `checksums` is a
    file in the format of sha256sum. `archives` maps folders to the archive (with its own URL) that holds them.
    """

    name: str
    homepage: str
    url: str | None = None
    checksums: Path | None = None
    archives: dict[str, tuple[str, str]] = field(default_factory=dict)

    def checksum(self, path: str) -> str | None:
        """The known SHA-256 of a file."""
        return _checksum_table(self.checksums).get(path) if self.checksums else None

    def archive_of(self, path: str) -> tuple[str, str, str] | None:
        """Folder, archive path and URL of the archive that holds `path`."""
        for folder, (archive, url) in self.archives.items():
            if path.startswith(folder + "/"):
                return folder, archive, url
        return None


def _checksum_table(file: Path) -> dict[str, str]:
    pairs = (line.split(maxsplit=1) for line in file.read_text(encoding="utf-8").splitlines() if line)
    return {path: digest for digest, path in pairs}


def download_folder() -> Path:
    """Where downloads are kept."""
    from datasets import config

    return Path(config.DOWNLOADED_DATASETS_PATH) / "hf_fewshot"


@dataclass(frozen=True)
class Source:
    """One way to the raw files of a benchmark: the first of data_dir, mirror, authors' URL that is given."""

    benchmark: str
    repository: Repository
    data_dir: Path | None = None
    sample: bool = False

    def __post_init__(self) -> None:
        if self.data_dir is not None and not self.data_dir.is_dir():
            raise RawFilesNotFoundError(
                f"data_dir={str(self.data_dir)!r} is no folder. Expected the folder of {self.repository.name} "
                f"({self.repository.homepage})."
            )

    @property
    def mirror(self) -> str | None:
        return os.environ.get(MIRROR) or None

    @property
    def key(self) -> str:
        """Names this way: rows built from another one must not come from its cache."""
        if self.data_dir is not None:
            return f"data_dir={self.data_dir.resolve()}"
        if not self.mirror:
            return "authors"
        # Another password leads to the same files.
        return f"mirror={Address.of(self.mirror, what='mirror').url if _is_url(self.mirror) else self.mirror}"

    def find(self, path: str) -> Path:
        """The local path of a raw file, downloaded first where needed; an error names all ways out."""
        found = self.find_local(path)
        if found is not None:
            return found
        if self.data_dir is not None:
            raise self._not_found([path], f"data_dir={str(self.data_dir)!r} does not hold it")
        try:
            return self._download(path)
        except DownloadError as error:
            raise self._not_found([path], str(error)) from error

    def find_present(self, paths: Iterable[str]) -> dict[str, Path]:
        """Those of the raw files that are there. A `data_dir` may hold a part of a benchmark, but not nothing."""
        paths = list(paths)
        if self.data_dir is None:
            return {path: self.find(path) for path in paths}
        present = {path: found for path in paths if (found := self.find_local(path)) is not None}
        if not present:
            raise self._not_found(paths, f"data_dir={str(self.data_dir)!r} holds none of them")
        return present

    def find_local(self, path: str) -> Path | None:
        """The file in data_dir or in a mirror that is a folder, if it is there.

        A data_dir may also be a folder inside the repository: leading parts of `path` are left out as needed.
        """
        if self.data_dir is not None:
            parts = PurePosixPath(path).parts
            for skipped in range(len(parts)):
                candidate = self.data_dir.joinpath(*parts[skipped:])
                if candidate.is_file():
                    return candidate
            return self._unpacked(self.data_dir, path)
        if self.mirror and not _is_url(self.mirror):
            folder = Path(self.mirror, self.repository.name)
            candidate = folder / path
            return self._checked(candidate, path) if candidate.is_file() else self._unpacked(folder, path)
        return None

    def _unpacked(self, root: Path, path: str) -> Path | None:
        """The file in an archive below `root`, if it is there."""
        archive = self.repository.archive_of(path)
        if archive is None:
            return None
        _, archive_path, _ = archive
        for candidate in (root / archive_path, root / PurePosixPath(archive_path).name):
            if candidate.is_file():
                return self._in_archive(self._checked(candidate, archive_path), path)
        return None

    def _checked(self, file: Path, path: str) -> Path:
        """A file of the mirror, whose checksum is right if known; a data_dir may hold files of the user's own."""
        expected = self.repository.checksum(path) if self.data_dir is None else None
        if expected is not None and (got := sha256_of(file)) != expected:
            why = f"{file} has SHA-256 {got}, expected {expected}; it is damaged or another version"
            raise self._not_found([path], why)
        return file

    def _in_archive(self, archive: Path, path: str) -> Path | None:
        """The file in an archive, which holds the folder itself or what is in it."""
        folder, _, _ = self.repository.archive_of(path) or ("", "", "")
        unpacked = unpack(archive, download_folder() / "unpacked")
        inside = path[len(folder) + 1 :]
        for candidate in (unpacked / PurePosixPath(folder).name / inside, unpacked / inside):
            if candidate.is_file():
                return candidate
        return None

    def _download(self, path: str) -> Path:
        archive = self.repository.archive_of(path)
        if archive is not None:
            _, archive_path, url = archive
            found = self._in_archive(self._fetch(archive_path, url), path)
            if found is None:
                raise DownloadError(f"the archive {archive_path} does not hold {path}")
            return found
        if self.mirror is None and self.repository.url is None:
            raise DownloadError(f"{self.repository.name} may not be downloaded; see {self.repository.homepage}")
        return self._fetch(path, f"{self.repository.url}/{quote(path)}")

    def _fetch(self, path: str, url: str) -> Path:
        if self.mirror:
            if not _is_url(self.mirror):
                shown = redacted(self.mirror)  # such as an address of a kind that is not known
                raise DownloadError(f"the mirror {shown!r} does not hold {self.repository.name}/{path}")
            _address(self.mirror)
            url = f"{self.mirror.rstrip('/')}/{self.repository.name}/{quote(path)}"
        elif constants.HF_HUB_OFFLINE and may_fetch():
            found = downloaded(url, download_folder(), sha256=self.repository.checksum(path))
            if found is None:
                raise DownloadError("HF_HUB_OFFLINE is set and it was not downloaded before")
            return found
        return download(url, download_folder(), sha256=self.repository.checksum(path))

    def _not_found(self, paths: list[str], why: str) -> RawFilesNotFoundError:
        shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
        if self.sample:
            return RawFilesNotFoundError(
                f"{self.benchmark}: the sample data does not hold {shown}. Use other options, or the real data."
            )
        name, homepage = self.repository.name, self.repository.homepage
        urls = [self.repository.url, *(url for _, url in self.repository.archives.values())]
        url = next((url for url in urls if url), None)
        third = f"a connection to {url}" if url else "no download: the files are licensed"
        return RawFilesNotFoundError(
            f"{self.benchmark} needs {shown}: {why}. Three ways out: (1) data_dir=<folder of {name} from {homepage}>; "
            f"(2) {MIRROR}=<folder or URL that holds {name}/...>; (3) {third}. "
            "To try things out without the data: sample=True."
        )


def _address(mirror: str) -> Address:
    """The mirror's address; one that cannot be a server's is an error."""
    return Address.of(mirror, what="mirror")


def _is_url(mirror: str) -> bool:
    return mirror.startswith(("http://", "https://"))
