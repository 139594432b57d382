"""A chat endpoint on this machine."""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ChatServer(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that answers with `reply(messages)`, after it has misbehaved as told.

    `script` is worked off first, one entry per request: a status, a pair of status and body, or seconds to sleep.
    """

    daemon_threads = True

    def __init__(self, reply: Callable[[list[dict[str, str]]], Any]) -> None:
        super().__init__(("127.0.0.1", 0), ChatHandler)
        self.reply = reply
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.busy = self.most_busy = 0
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class ChatHandler(BaseHTTPRequestHandler):
    """One request to a ChatServer."""

    server: ChatServer

    def do_POST(self) -> None:
        server = self.server
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.requests.append({"path": self.path, "key": self.headers["Authorization"], **request})
            step = server.script.pop(0) if server.script else None
            server.busy += 1
            server.most_busy = max(server.most_busy, server.busy)
        try:
            if isinstance(step, float):
                time.sleep(step)
            if isinstance(step, int):
                self.send(step, b"{}")
            elif isinstance(step, tuple):
                self.send(*step)
            else:
                reply = server.reply(request["messages"])
                body = {
                    "choices": [
                        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
                    ],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
                }
                self.send(200, json.dumps(body).encode())
        finally:
            with server.lock:
                server.busy -= 1

    def send(self, status: int, body: bytes) -> None:
        try:
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client did not wait

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""
