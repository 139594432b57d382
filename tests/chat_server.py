"""A chat endpoint on this machine."""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[list[dict[str, str]]], Any]


class ChatServer(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that answers with `reply(messages)`, after it has misbehaved as told.

    A reply is a text, or a mapping of what a message holds. `script` is worked off first, one entry per request: a
    status, a tuple of status, body and headers, or seconds to sleep.

    Attributes:
        refuses: fields that no request may have.
        model: the name it gives to its model; None: the one that is asked for.
        held_to_schemas: a reply, in JSON, is put into the object that a schema asks for.
        complete: the body that answers a request for a plain completion.
        requests: all of them, with their path and key.
        answered: the messages, or prompts, of those that got a right answer, as JSON.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, reply: Reply, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), ChatHandler)
        self.reply = reply
        self.script: list[Any] = []
        self.refuses: set[str] = set()
        self.model: str | None = None
        self.held_to_schemas = False
        self.complete: Callable[[dict[str, Any]], Any] | None = None
        self.requests: list[dict[str, Any]] = []
        self.answered: list[str] = []
        self.lock = threading.Lock()
        self.busy = self.most_busy = 0
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class ChatHandler(BaseHTTPRequestHandler):
    """One request to a ChatServer."""

    server: ChatServer
    protocol_version = "HTTP/1.1"  # connections are kept, as real servers do
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        server = self.server
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.requests.append({"path": self.path, "key": self.headers["Authorization"], **request})
            step = server.script.pop(0) if server.script else None
            server.busy += 1
            server.most_busy = max(server.most_busy, server.busy)
        try:
            self.answer(request, step)
        finally:
            with server.lock:
                server.busy -= 1

    def answer(self, request: dict[str, Any], step: Any) -> None:
        """What the script says, or what is right."""
        server = self.server
        refused = sorted(server.refuses & request.keys())
        if isinstance(step, float):
            time.sleep(step)
        if isinstance(step, int):
            self.send(step, b"{}")
        elif isinstance(step, tuple):
            self.send(*step)
        elif refused:
            self.send(400, json.dumps({"error": {"message": f"Unknown field '{refused[0]}'."}}).encode())
        else:
            body = self.completion(request) if self.path.endswith("/chat/completions") else self.plain(request)
            if self.send(200 if body is not None else 404, json.dumps(body or {}).encode()):
                with server.lock:
                    server.answered.append(json.dumps(request.get("messages", request.get("prompt"))))

    def completion(self, request: dict[str, Any]) -> dict[str, Any]:
        """A chat completion."""
        replies = [self.server.reply(request["messages"]) for _ in range(request.get("n", 1))]
        if self.server.held_to_schemas and "response_format" in request:
            replies = [json.dumps({"answer": json.loads(reply)}) for reply in replies]
        messages = [reply if isinstance(reply, dict) else {"content": reply} for reply in replies]
        return {
            "model": self.server.model or request.get("model"),
            "choices": [
                {"index": number, "finish_reason": "stop", "message": {"role": "assistant", **message}}
                for number, message in enumerate(messages)
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 7 * len(messages), "total_tokens": 107},
        }

    def plain(self, request: dict[str, Any]) -> Any:
        """A plain completion, if this server has them."""
        return None if self.server.complete is None else self.server.complete(request)

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> bool:
        """Whether the client took it."""
        retry = {"Retry-After": "0"} if status == 429 else {}
        lengths = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        try:
            self.send_response(status)
            for name, value in {**lengths, **retry, **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            return False  # the client did not wait
        return True

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""
