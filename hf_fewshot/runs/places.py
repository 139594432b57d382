"""Where records are read: folders of this machine, and repositories on the Hub."""

import re
from dataclasses import dataclass
from pathlib import Path

from hf_fewshot.files.at_hand import NotAtHandError
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.files.hub_folder import hub_folder
from hf_fewshot.runs.record import FILE_NAME

SCHEME = "hf://"
NAME = r"[\w.-]{1,96}/[\w.-]{1,96}"
# Where `push` puts them; nothing else of a repository is downloaded.
PATTERN = f"records/*/{FILE_NAME}"


@dataclass(frozen=True)
class Place:
    """A folder with records.

    Args:
        folder: on this machine; of a repository in the client's cache.
        repository: which one it was downloaded from, such as "someone/fewrel-mnav"; nothing of a folder.
        commit: of the repository.
    """

    folder: Path
    repository: str = ""
    commit: str = ""

    def __str__(self) -> str:
        return f"{self.repository}@{self.commit[:7]}" if self.repository else str(self.folder)

    def named(self, path: Path) -> str:
        """A path in it, as messages call it."""
        return f"{self}/{path.relative_to(self.folder).as_posix()}" if self.repository else str(path)


def place_of(where: str | Path) -> Place:
    """The folder of that name, or the records of that repository, downloaded unless they are in the cache.

    Args:
        where: a folder, which wins; else a repository: "someone/name", or "someone/name@revision". "hf://someone/name"
            is the repository in any case, and a `Path` the folder.
    """
    text = str(where)
    named = re.fullmatch(rf"(?:{SCHEME})?({NAME})(?:@([\w./-]+))?", text, re.ASCII)
    if named is None or isinstance(where, Path) or Path(text).exists():
        if text.startswith(SCHEME):
            raise ValueError(f"{text} names no repository. Expected one such as {SCHEME}someone/name.")
        if not Path(where).is_dir():
            raise ValueError(
                f"{text} is no folder. Give a folder with results of `hf-fewshot run`, or a repository on the Hub "
                "such as someone/name."
            )
        return Place(Path(where))
    repository, revision = named.groups()
    try:
        found = hub_folder(repository, PATTERN, revision=revision)
    except (DownloadError, NotAtHandError) as error:
        absent = "" if text.startswith(SCHEME) else f"{text} is no folder here. "
        raise type(error)(f"{absent}{error}") from None
    return Place(found.path, repository, found.commit)
