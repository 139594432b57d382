"""A stand-in of the Hub on this machine: the part of its REST protocol that the real client uses."""

import json
import re
import threading
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import yaml

from tests.hub.exchange import HubError
from tests.hub.jobs import Jobs, JobsOfServer
from tests.hub.storage import PULL, Storage, StoredFile
from tests.hub.uploads import Uploads

# The client quotes the name of a revision, so it has no slash.
REPO = r"(?P<kind>models|datasets|spaces)/(?P<id>[^/]+/[^/]+)"
FILES = r"(?:(?P<kind>datasets|spaces)/)?(?P<id>[^/]+/[^/]+)"


@dataclass
class Fault:
    """An answer that the next requests to a path get instead of the right one."""

    pattern: str
    status: int
    times: int = 1
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "injected"


class HubServer(ThreadingHTTPServer):
    """Repositories on a free port of this machine.

    `tokens` says whose each token is and whether it may "read" or "write". `requests` lists method and path of each
    request, `bodies` path and body, `faults` are answered first. With `part_size`, large files are uploaded in parts.
    """

    def __init__(self, folder: Path, tokens: dict[str, tuple[str, str]], part_size: int | None = None) -> None:
        super().__init__(("127.0.0.1", 0), HubHandler)
        self.storage = Storage(folder)
        self.jobs = JobsOfServer(folder / "jobs")
        self.tokens = tokens
        self.part_size = part_size
        self.parts: dict[tuple[str, int], bytes] = {}
        self.requests: list[tuple[str, str]] = []
        self.bodies: list[tuple[str, bytes]] = []
        self.faults: list[Fault] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        # Large files are elsewhere, as on the Hub: the client must not send its token there.
        self.large_url = f"http://localhost:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def asked(self, pattern: str) -> list[tuple[str, str]]:
        """The requests whose path matches."""
        return [one for one in self.requests if re.search(pattern, one[1])]


class HubHandler(Jobs, Uploads):
    """One request to a HubServer."""

    routes = (
        *Jobs.routes,
        ("GET", r"/api/whoami-v2", "whoami"),
        ("POST", r"/api/repos/create", "create_repo"),
        ("POST", r"/api/validate-yaml", "validate_yaml"),
        ("GET", r"/api/models", "models"),
        ("GET", rf"/api/{REPO}(?:/revision/(?P<revision>[^/]+))?", "info"),
        ("GET", rf"/api/{REPO}/tree/(?P<revision>[^/]+)(?:/(?P<path>.+))?", "tree"),
        ("POST", rf"/api/{REPO}/paths-info/(?P<revision>[^/]+)", "paths_info"),
        ("POST", rf"/api/{REPO}/preupload/(?P<revision>[^/]+)", "preupload"),
        ("POST", rf"/api/{REPO}/commit/(?P<revision>[^/]+)", "commit"),
        ("POST", rf"/{FILES}\.git/info/lfs/objects/batch", "large_batch"),
        ("PUT", r"/upload/(?P<oid>[0-9a-f]{64})(?:/(?P<part>\d+))?", "large_upload"),
        ("POST", r"/upload/(?P<oid>[0-9a-f]{64})", "large_complete"),
        ("POST", r"/verify", "large_verify"),
        ("GET", r"/cdn/(?P<oid>[0-9a-f]{64})", "large_file"),
        ("GET", rf"/{FILES}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve"),
    )

    def whoami(self) -> None:
        user = self.user()
        if user is None:
            raise HubError(401, "Invalid username or password.")
        self.send_json(200, {"type": "user", "name": user[0], "auth": {"accessToken": {"role": user[1]}}, "orgs": []})

    def create_repo(self) -> None:
        wanted = json.loads(self.body)
        user = self.user()
        owner = wanted.get("organization") or (user or ("",))[0]
        self.writer(owner)
        kind = f"{wanted.get('type') or 'model'}s"
        id = f"{owner}/{wanted['name']}"
        url = f"{self.server.url}/{'' if kind == 'models' else kind + '/'}{id}"
        with self.server.storage.lock:
            if self.server.storage.exists(f"{kind}/{id}"):
                raise HubError(409, f"You already created this {kind[:-1]} repo", url=url)
            private = wanted.get("visibility") == "private"
            self.server.storage.create(f"{kind}/{id}", private=private, sdk=wanted.get("sdk"))
        self.send_json(200, {"url": url, "name": id})

    def validate_yaml(self) -> None:
        content = json.loads(self.body)["content"]
        found = re.match(r"---\n(.*?)\n---\n", content, re.DOTALL)
        problems = [] if found else ["there is no metadata"]
        try:
            metadata = yaml.safe_load(found[1]) if found else {}
        except yaml.YAMLError as error:
            metadata, problems = {}, [f"the metadata is no YAML: {error}"]
        for model in metadata.get("model-index", []):
            for result in model["results"]:
                missing = {"task", "dataset", "metrics"} - set(result)
                problems += [f"a result has no {name}" for name in sorted(missing)]
        errors = [{"message": problem} for problem in problems]
        self.send_json(400 if errors else 200, {"errors": errors, "warnings": []})

    def info(self, kind: str, id: str, revision: str | None) -> None:
        name = self.repo(kind, id)
        files = self.listing(name, revision)
        repo = self.server.storage.repo(name)
        sha = self.commit_of(name, revision)
        siblings = [{"rfilename": path} for path in files]
        self.send_json(200, {"id": id, "sha": sha, "private": repo["private"], "siblings": siblings, "tags": []})

    def models(self) -> None:
        storage = self.server.storage
        wanted = self.query.get("filter", [])
        own = [name for name in storage.names() if name.startswith("models/") and not storage.repo(name)["private"]]
        if self.query.get("sort") == ["createdAt"]:
            own.sort(key=lambda name: -storage.repo(name)["created"])
        tagged = [name for name in own if set(wanted) <= set(self.tags(name))]
        shown = tagged[: int(self.query.get("limit", [len(tagged)])[0])]
        self.send_json(200, [{"id": name.removeprefix("models/"), "tags": self.tags(name)} for name in shown])

    def tags(self, name: str) -> list[str]:
        """Those of its card."""
        if "README.md" not in (self.server.storage.files(name) or {}):
            return []
        card = self.server.storage.content(name, "README.md").decode()
        metadata = re.match(r"---\n(.*?)\n---\n", card, re.DOTALL)
        return (yaml.safe_load(metadata[1]) if metadata else {}).get("tags", [])

    def commit_of(self, name: str, revision: str | None) -> str:
        storage = self.server.storage
        if (revision or "").startswith(PULL):
            return storage.proposals(name)[int(revision.removeprefix(PULL)) - 1]["sha"]
        commits = [one["sha"] for one in [*storage.proposals(name), *storage.repo(name)["commits"]]]
        return next((sha for sha in commits if sha.startswith(revision or "main")), commits[-1])

    def tree(self, kind: str, id: str, revision: str, path: str | None) -> None:
        files = self.listing(self.repo(kind, id), revision)
        inside = f"{path}/" if path else ""
        below = {name: file for name, file in files.items() if name.startswith(inside)}
        if path and not below:
            raise HubError(404, f"{path} does not exist", "EntryNotFound")
        deep = self.query.get("recursive", ["false"])[0].lower() in ("true", "1")
        entries = [self.entry(file) for name, file in below.items() if deep or "/" not in name[len(inside) :]]
        parts = [name[len(inside) :].split("/")[:-1] for name in below]
        folders = {
            inside + "/".join(part[: n + 1]) for part in parts for n in range(len(part) if deep else bool(part))
        }
        entries += [{"type": "directory", "path": folder, "oid": "0" * 40, "size": 0} for folder in sorted(folders)]
        self.send_json(200, entries)

    def paths_info(self, kind: str, id: str, revision: str) -> None:
        files = self.listing(self.repo(kind, id), revision)
        wanted = parse_qs(self.body.decode()).get("paths", [])
        entries = [self.entry(files[path]) for path in wanted if path in files]
        folders = [path for path in wanted if path not in files and any(one.startswith(path + "/") for one in files)]
        self.send_json(200, entries + [{"type": "directory", "path": path, "oid": "0" * 40} for path in folders])

    def entry(self, file: StoredFile) -> dict[str, Any]:
        large = {"oid": file.sha256, "size": file.size, "pointerSize": 134}
        entry = {"type": "file", "path": file.path, "size": file.size, "oid": file.oid}
        return entry | ({"lfs": large} if file.is_large else {})

    # Download

    def resolve(self, kind: str | None, id: str, revision: str, path: str) -> None:
        name = self.repo(kind, id)
        files = self.listing(name, revision)
        commit = {"X-Repo-Commit": self.commit_of(name, revision)}
        if path not in files:
            self.send_json(404, {"error": "Entry not found"}, {**commit, "X-Error-Code": "EntryNotFound"})
            return
        file = files[path]
        if file.is_large:
            linked = {"X-Linked-Etag": f'"{file.sha256}"', "X-Linked-Size": str(file.size)}
            self.send(302, b"", {**commit, **linked, "Location": f"{self.server.large_url}/cdn/{file.sha256}"})
            return
        self.send_content(self.server.storage.blob(file.sha256), {**commit, "ETag": f'"{file.etag}"'})

    def large_file(self, oid: str) -> None:
        self.refuse_token()
        self.send_content(self.server.storage.blob(oid), {"ETag": f'"{oid}"'})

    def send_content(self, content: bytes, headers: dict[str, str]) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            self.send(200, content, {**headers, "Accept-Ranges": "bytes"})
            return
        start, end = int(wanted[1]), min(int(wanted[2] or len(content) - 1), len(content) - 1)
        if start >= len(content):
            self.send(416, b"", {**headers, "Content-Range": f"bytes */{len(content)}"})
            return
        span = f"bytes {start}-{end}/{len(content)}"
        self.send(206, content[start : end + 1], {**headers, "Content-Range": span})
