"""Which files of a repository are ours: a manifest with their hashes lies beside them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from huggingface_hub.hf_api import RepoFile

FILE_NAME = ".hf_fewshot.json"
FORMAT = "hf_fewshot/manifest"

Content = Path | bytes


@dataclass(frozen=True)
class Digest:
    """The two names of a content: large files are known by SHA-256, others by what git calls them."""

    sha256: str
    git: str

    def is_of(self, file: RepoFile) -> bool:
        """Whether a file of the repository has this content."""
        return file.lfs.sha256 == self.sha256 if file.lfs is not None else file.blob_id == self.git


def size(content: Content) -> int:
    """In bytes."""
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def digest(content: Content) -> Digest:
    """Reads a file once, in pieces."""
    sha256, git = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size(content))
    for piece in pieces(content):
        sha256.update(piece)
        git.update(piece)
    return Digest(sha256.hexdigest(), git.hexdigest())


def pieces(content: Content) -> Iterable[bytes]:
    """A content in pieces that fit into memory."""
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def write_manifest(digests: Mapping[str, Digest]) -> bytes:
    """The content of the manifest, the same for the same files."""
    files = {path: asdict(digests[path]) for path in sorted(digests)}
    return (json.dumps({"format": FORMAT, "version": 1, "files": files}, indent=1) + "\n").encode()


def read_manifest(content: bytes) -> dict[str, Digest]:
    """The files that an earlier push has written; nothing if it is no manifest of ours."""
    try:
        read: Any = json.loads(content)
        if read["format"] != FORMAT:
            return {}
        return {path: Digest(**one) for path, one in read["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def foreign(present: Mapping[str, RepoFile], new: Mapping[str, Digest], ours: Mapping[str, Digest]) -> list[str]:
    """The files that a push would replace, and that no push of ours has left as they are."""
    replaced = [path for path in new if path in present and not new[path].is_of(present[path])]
    return sorted(path for path in replaced if path not in ours or not ours[path].is_of(present[path]))


def outdated(present: Mapping[str, RepoFile], new: Mapping[str, Digest], ours: Mapping[str, Digest]) -> list[str]:
    """The files of an earlier push, unchanged since, that are not part of this one."""
    return sorted(path for path in ours if path in present and path not in new and ours[path].is_of(present[path]))
