"""A server of files on this machine that can misbehave."""

import hashlib
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


class FolderServer(ThreadingHTTPServer):
    """Serves a folder on a free port of this machine, and misbehaves as told.

    `statuses` are answered first, one per request. Then the first `cuts` bodies end after `cut` bytes. `ranges` says
    whether parts of a file can be asked for; `headers` come with each file; `delay` is in seconds. `requests` lists
    method, path and Range of each request.
    """

    def __init__(
        self,
        folder: Path,
        *,
        cut: int = 0,
        cuts: int = 0,
        statuses: tuple[int, ...] = (),
        ranges: bool = True,
        headers: dict[str, str] | None = None,
        delay: float = 0,
    ) -> None:
        super().__init__(("127.0.0.1", 0), FolderHandler)
        self.folder, self.cut, self.cuts, self.ranges, self.delay = folder, cut, cuts, ranges, delay
        self.statuses = list(statuses)
        self.headers = headers or {}
        self.requests: list[tuple[str, str, str | None]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class FolderHandler(BaseHTTPRequestHandler):
    """One request to a FolderServer."""

    server: FolderServer

    def do_GET(self) -> None:
        server = self.server
        server.requests.append((self.command, self.path, self.headers.get("Range")))
        time.sleep(server.delay)
        file = server.folder / unquote(urlsplit(self.path).path).lstrip("/")
        if server.statuses or not file.is_file():
            self.send(server.statuses.pop(0) if server.statuses else 404, {}, b"")
            return
        data = file.read_bytes()
        etag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        headers = {"ETag": etag, **server.headers}
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")) if server.ranges else None
        if wanted is None or self.headers.get("If-Range", etag) != etag:
            self.send(200, headers, data)
        elif (start := int(wanted[1])) >= len(data):
            self.send(416, headers, b"")
        else:
            span = f"bytes {start}-{len(data) - 1}/{len(data)}"
            self.send(206, {**headers, "Content-Range": span}, data[start:])

    do_HEAD = do_GET  # noqa: N815 - the name http.server asks for

    def send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            if self.server.cuts and body:
                self.server.cuts -= 1
                body = body[: self.server.cut]
            self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""
