"""A web server on this machine that answers as it is told: rightly, cut, slowly, without end, with lies."""

import contextlib
import gzip
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

ENDLESS = 8 << 20  # bytes, after which an endless body ends for the sake of the tests
DRIP, DRIPS = 0.01, 300  # seconds between two bytes of a slow body, and how many of them
LOCATIONS = ("http://[", "file:///etc/passwd", "ftp://localhost/x", "http://", "http://user:s3cret@[::1", "\x7f")

Answer = tuple[int, dict[str, str], bytes]


class FaultyServer(ThreadingHTTPServer):
    """Serves `files` by path, and chat completions; `faults` are worked off first, one per request.

    Args:
        files: contents by path, without the leading slash.
        reply: what a chat completion says to messages.

    `requests` lists method, path, headers and body of each request, and the fault that it met.
    """

    daemon_threads = True

    def __init__(
        self, files: dict[str, bytes] | None = None, reply: Callable[[list[dict[str, str]]], Any] = lambda _: "[]"
    ) -> None:
        super().__init__(("127.0.0.1", 0), FaultyHandler)
        self.files = dict(files or {})
        self.reply = reply
        self.faults: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self.elsewhere: str | None = None  # where redirects lead
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keeps quiet about clients that have had enough."""


class FaultyHandler(BaseHTTPRequestHandler):
    """One request to a FaultyServer."""

    server: FaultyServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].lstrip("/")
        self.serve(lambda: self.file(path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.serve(lambda: self.completion(self.server.reply(json.loads(body)["messages"])), body)

    def serve(self, right: Callable[[], Answer], body: bytes = b"") -> None:
        """The fault that is due, or what is right."""
        self.close_connection = True
        server = self.server
        with server.lock:
            fault = server.faults.pop(0) if server.faults else "right"
            server.requests.append(
                {"method": self.command, "path": self.path, "headers": self.headers, "body": body, "fault": fault}
            )
        kind, _, detail = fault.partition(":")
        answer = right()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the client did not wait
            getattr(self, f"fault_{kind}")(detail, *answer)

    def file(self, path: str) -> Answer:
        """A file, or the part of it that is asked for."""
        data = self.server.files.get(path)
        if data is None:
            return 404, {}, b""
        headers = {"ETag": etag(data)}
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if wanted is None or self.headers.get("If-Range", headers["ETag"]) != headers["ETag"]:
            return 200, headers, data
        start = int(wanted[1])
        if start >= len(data):
            return 416, headers, b""
        return 206, {**headers, "Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"}, data[start:]

    def completion(self, text: Any, **more: Any) -> Answer:
        """A chat completion in JSON."""
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}, **more}
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        return 200, {"Content-Type": "application/json"}, json.dumps({"choices": [choice], "usage": usage}).encode()

    # Faults. Each is given its detail and the right answer.

    def fault_right(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """No fault."""
        self.send(status, {**headers, "Content-Length": str(len(body))}, body)

    def fault_status(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """Another status, and a body that says all that was sent."""
        said = f"{detail} \x1b[2J {self.headers.get('Authorization')} {self.path}".encode()
        self.send(int(detail), {"Retry-After": "\u00b2", "Content-Length": str(len(said))}, said)

    def fault_cut(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A part of the body."""
        self.send(status, {**headers, "Content-Length": str(len(body))}, body[: int(len(body) * float(detail))])

    def fault_chunks(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """In chunks, with or without the last one, or with a size that is none."""
        self.send(status, {**headers, "Transfer-Encoding": "chunked"}, b"%x\r\n%s\r\n" % (len(body), body))
        self.wfile.write({"whole": b"0\r\n\r\n", "cut": b"", "bad": b"zz\r\n"}[detail])

    def fault_length(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A length that is wrong or none; "" is no length at all."""
        self.send(status, {**headers, **({"Content-Length": detail} if detail else {})}, body)

    def fault_range(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A part that was not asked for, called so or called otherwise; with half of the bytes."""
        half = body[: len(body) // 2]
        self.send(206, {**headers, "Content-Range": detail, "Content-Length": str(len(half))}, half)

    def fault_etag(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """The right range of another version."""
        other = bytes(255 - byte for byte in body)
        self.send(status, {**headers, "ETag": detail, "Content-Length": str(len(body))}, other)

    def fault_endless(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A body that does not end."""
        announced = {"Content-Length": detail} if detail else {"Transfer-Encoding": "chunked"}
        self.send(status, {**headers, **announced}, b"")
        chunk = bytes(1 << 16)
        for _ in range(ENDLESS // len(chunk)):
            self.wfile.write(chunk if detail else b"%x\r\n%s\r\n" % (len(chunk), chunk))

    def fault_slow(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A body of single bytes."""
        self.send(status, {**headers, "Content-Length": str(len(body))}, b"")
        for byte in body[:DRIPS]:
            self.wfile.write(bytes([byte]))
            time.sleep(DRIP)

    def fault_redirect(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """To the same path elsewhere, to itself, or to no place."""
        where = f"{self.server.elsewhere or self.server.url}{self.path}"
        location = LOCATIONS[int(detail)] if detail.isdecimal() else self.path if detail == "loop" else where
        if detail == "loop":
            with self.server.lock:
                self.server.faults[:0] = ["redirect:again"] * 30
        self.send(307, {"Location": location, "Content-Length": "0"}, b"")

    def fault_moved(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """To another place, in the way that makes clients forget what they asked."""
        self.send(301, {"Location": detail, "Content-Length": "0"}, b"")

    def fault_raw(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """No answer in HTTP."""
        said = {
            "nothing": b"",
            "garbage": b"\x00\xff no HTTP\r\n\r\n",
            "half": b"HTTP/1.1 200 OK\r\nContent-Le",
            "header": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        }
        self.wfile.write(said[detail])

    def fault_gzip(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """Compressed: rightly, as a bomb, or not at all."""
        packed = {"right": gzip.compress(body), "bomb": gzip.compress(bytes(ENDLESS)), "bad": body}[detail]
        self.send(status, {**headers, "Content-Encoding": "gzip", "Content-Length": str(len(packed))}, packed)

    def fault_body(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """Another body; Python's escapes stand for its bytes."""
        other = detail.encode("latin-1").decode("unicode_escape").encode("latin-1")
        self.send(200, {"Content-Length": str(len(other))}, other)

    def fault_header(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """One more header."""
        name, _, value = detail.partition(": ")
        self.fault_right("", status, {**headers, name: value}, body)

    def fault_text(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A completion with another text; "" is none."""
        self.fault_right("", *self.completion(detail or None))

    def fault_ended(self, detail: str, status: int, headers: dict[str, str], body: bytes) -> None:
        """A completion without text, and why."""
        self.fault_right("", *self.completion(None, finish_reason=detail))

    def send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Writes an answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""


def etag(data: bytes) -> str:
    """The name of a version."""
    return f'"{hashlib.sha256(data).hexdigest()[:16]}"'
