"""Repositories of the stand-in Hub, as files in a folder: blobs under their hash, a commit as a list of files."""

import hashlib
import json
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# What the Hub keeps in large file storage whatever its size; other files are large from this size on.
LARGE_SUFFIXES = (".safetensors", ".parquet", ".bin", ".arrow")
LARGE_SIZE = 10 * 1024 * 1024
PULL = "refs/pr/"  # the branch of a pull request, by its number


@dataclass(frozen=True)
class StoredFile:
    """A file of a commit: where its content is, and under which names the Hub tells it apart."""

    path: str
    size: int
    sha256: str
    git_oid: str
    is_large: bool

    @property
    def oid(self) -> str:
        """What git has: the file, or the pointer to it."""
        if not self.is_large:
            return self.git_oid
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n"
        return git_oid(pointer.encode())

    @property
    def etag(self) -> str:
        return self.sha256 if self.is_large else self.git_oid


def git_oid(content: bytes) -> str:
    """The name that git gives to a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Storage:
    """All repositories; `name` is such as "models/me/model"."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blobs = folder / "blobs"
        self.blobs.mkdir(parents=True)
        self.lock = threading.RLock()

    def repo_file(self, name: str) -> Path:
        return self.folder / name / "repo.json"

    def exists(self, name: str) -> bool:
        return self.repo_file(name).is_file()

    def create(self, name: str, *, private: bool, sdk: str | None = None) -> None:
        """A repository with the first commit that the Hub makes."""
        created = len(self.names())
        self.repo_file(name).parent.mkdir(parents=True)
        self._write(name, {"private": private, "sdk": sdk, "created": created, "commits": []})
        self.commit(name, {".gitattributes": b"*.safetensors filter=lfs\n"}, {}, [], "initial commit")

    def names(self) -> list[str]:
        """Of all repositories."""
        return sorted(path.parent.relative_to(self.folder).as_posix() for path in self.folder.rglob("repo.json"))

    def repo(self, name: str) -> dict:
        return json.loads(self.repo_file(name).read_text(encoding="utf-8"))

    def _write(self, name: str, content: dict) -> None:
        self.repo_file(name).write_text(json.dumps(content), encoding="utf-8")

    def head(self, name: str) -> str:
        return self.repo(name)["commits"][-1]["sha"]

    def commit(
        self, name: str, regular: dict[str, bytes], large: dict[str, str], deleted: list[str], title: str
    ) -> str:
        """A commit that adds contents, adds large files by hash, and deletes files; returns its hash."""
        with self.lock:
            repo = self.repo(name)
            repo["commits"].append(self._changed(repo, regular, large, deleted, title))
            self._write(name, repo)
            return repo["commits"][-1]["sha"]

    def propose(self, name: str, *change: Any) -> tuple[int, str]:
        """Keeps a commit beside the others, as a pull request; its number and hash."""
        with self.lock:
            repo = self.repo(name)
            proposals = repo.setdefault("proposals", [])
            proposals.append(self._changed(repo, *change))
            self._write(name, repo)
            return len(proposals), proposals[-1]["sha"]

    def proposals(self, name: str) -> list[dict]:
        """The commits of pull requests."""
        return self.repo(name).get("proposals", [])

    def _changed(
        self, repo: dict, regular: dict[str, bytes], large: dict[str, str], deleted: list[str], title: str
    ) -> dict:
        """A commit on the newest one."""
        files = dict(repo["commits"][-1]["files"]) if repo["commits"] else {}
        for path in deleted:
            del files[path]
        for path, content in regular.items():
            files[path] = asdict(self._stored(path, content, is_large=False))
        for path, sha256 in large.items():
            files[path] = asdict(self._stored(path, self.blob(sha256), is_large=True))
        sha = hashlib.sha1(json.dumps([repo["commits"], files, title]).encode()).hexdigest()
        return {"sha": sha, "title": title, "files": files}

    def _stored(self, path: str, content: bytes, *, is_large: bool) -> StoredFile:
        sha256 = self.add_blob(content)
        return StoredFile(path, len(content), sha256, git_oid(content), is_large)

    def add_blob(self, content: bytes) -> str:
        sha256 = hashlib.sha256(content).hexdigest()
        (self.blobs / sha256).write_bytes(content)
        return sha256

    def blob(self, sha256: str) -> bytes:
        return (self.blobs / sha256).read_bytes()

    def files(self, name: str, revision: str = "main") -> dict[str, StoredFile] | None:
        """The files of a commit; None if there is no such commit."""
        commits = self.repo(name)["commits"]
        if revision.startswith(PULL):
            wanted = self.proposals(name)[int(revision.removeprefix(PULL)) - 1 :][:1]
        else:
            known = [*commits, *self.proposals(name)]
            wanted = [c for c in known if c["sha"].startswith(revision)] if revision != "main" else commits[-1:]
        return {path: StoredFile(**file) for path, file in wanted[-1]["files"].items()} if wanted else None

    def content(self, name: str, path: str) -> bytes:
        """The newest content of a file."""
        return self.blob(self.files(name)[path].sha256)

    def put(self, name: str, path: str, content: str) -> None:
        """A commit by somebody else."""
        self.commit(name, {path: content.encode()}, {}, [], f"Update {path}")
