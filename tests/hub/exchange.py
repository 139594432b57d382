"""One request to the stand-in Hub: read, checked for who asks, answered."""

import json
import re
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.storage import StoredFile


class HubError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, message: str, code: str | None = None, **extra: Any) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.extra = status, message, code, extra


class Exchange(BaseHTTPRequestHandler):
    """Finds the method of a request in `routes`, and gives methods what they share."""

    server: Any
    protocol_version = "HTTP/1.1"
    routes: tuple[tuple[str, str, str], ...] = ()

    def answer(self) -> None:
        self.connection.settimeout(60)
        url = urlsplit(self.path)
        self.query = parse_qs(url.query)
        # Always read: what is left of a body would be taken for the next request.
        self.body = self.read_body()
        self.server.requests.append((self.command, unquote(url.path)))
        self.server.bodies.append((unquote(url.path), self.body))
        for fault in self.server.faults:
            if fault.times and re.search(fault.pattern, unquote(url.path)):
                fault.times -= 1
                self.send_json(
                    fault.status, {"error": fault.message}, {"X-Error-Message": fault.message, **fault.headers}
                )
                return
        method = "GET" if self.command == "HEAD" else self.command
        for verb, pattern, name in self.routes:
            found = re.fullmatch(pattern, url.path)
            if found and verb == method:
                try:
                    getattr(self, name)(**{k: v and unquote(v) for k, v in found.groupdict().items()})
                except HubError as error:
                    headers = {"X-Error-Message": error.message}
                    headers |= {"X-Error-Code": error.code} if error.code else {}
                    self.send_json(error.status, {"error": error.message, **error.extra}, headers)
                return
        self.send_json(404, {"error": f"the stand-in does not know {self.command} {url.path}"})

    do_GET = do_HEAD = do_POST = do_PUT = answer  # noqa: N815 - the names http.server asks for

    def read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def send_json(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        self.send(status, json.dumps(content).encode(), {"Content-Type": "application/json", **(headers or {})})

    def send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""

    # Who asks, and for what

    def user(self) -> tuple[str, str] | None:
        """Name and role of who asks; a token that nobody has is an error."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not given:
            return None
        if given not in self.server.tokens:
            raise HubError(401, "Invalid credentials in Authorization header")
        return self.server.tokens[given]

    def writer(self, owner: str) -> None:
        """Who asks must be allowed to write to what `owner` has."""
        user = self.user()
        if user is None:
            raise HubError(401, "Invalid username or password.")
        if user != (owner, "write"):
            raise HubError(403, f"You don't have the rights to write to {owner}: {user[0]} has the role {user[1]}")

    def refuse_token(self) -> None:
        """Nobody but the Hub itself should see a token."""
        if "Authorization" in self.headers:
            raise HubError(400, "a token was sent to the storage of large files")

    def repo(self, kind: str | None, id: str, *, write: bool = False) -> str:
        name = f"{kind or 'models'}/{id}"
        owner = id.split("/")[0]
        user = self.user()
        if not self.server.storage.exists(name):
            raise HubError(404 if user else 401, "Repository not found", "RepoNotFound")
        if self.server.storage.repo(name)["private"] and (user is None or user[0] != owner):
            raise HubError(404 if user else 401, "Repository not found", "RepoNotFound")
        if write:
            self.writer(owner)
        return name

    def listing(self, name: str, revision: str | None) -> dict[str, StoredFile]:
        files = self.server.storage.files(name, revision or "main")
        if files is None:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return files
