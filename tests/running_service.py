"""A service on a port of this machine, in a thread of the test."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from hf_fewshot.service.application import application
from hf_fewshot.service.limits import Limits
from hf_fewshot.service.service import Service
from hf_fewshot.web.server import bound_socket, server, url_of


class RunningService:
    """Where it is, and what it counted."""

    def __init__(self, service: Service, client: httpx.Client, end: Callable[[], None]) -> None:
        self.service = service
        self.client = client
        self.url = str(client.base_url).rstrip("/")
        self.end = end

    def predict(self, inputs: Any, **options: Any) -> httpx.Response:
        """The response to queries."""
        return self.post("/predict", {"inputs": inputs, **options})

    def post(self, path: str, body: Any) -> httpx.Response:
        """The response to JSON."""
        return self.client.post(path, json=body)

    def counts(self) -> dict[str, float]:
        """The metrics by name and labels."""
        lines = self.client.get("/metrics").text.splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}

    def statuses(self, path: str = "/predict") -> dict[int, int]:
        """How many requests of a path were answered with each status."""
        found = re.compile(rf'hf_fewshot_requests_total{{path="{path}",status="(\d+)"}}')
        matches = ((found.fullmatch(name), value) for name, value in self.counts().items())
        return {int(match[1]): int(value) for match, value in matches if match}


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Waits for what another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@contextmanager
def running_service(
    learner: Any, *, name: str = "fake", token: str | None = None, allow_examples: bool = False, **limits: Any
) -> Iterator[RunningService]:
    """Serves a learner until the block ends."""
    service = Service(learner, name, limits=Limits(**limits), allow_examples=allow_examples)
    with bound_socket("127.0.0.1", 0) as bound:
        url = url_of(bound)
        uvicorn = server(application(service, token=token), service.limits.seconds)
        thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [bound]})
        thread.start()

        def end() -> None:
            uvicorn.should_exit = True
            thread.join(30)
            assert not thread.is_alive()

        try:
            transport = httpx.HTTPTransport(retries=5, limits=httpx.Limits())  # it may begin to listen later
            with httpx.Client(base_url=url, transport=transport, timeout=30) as client:
                assert client.get("/health").json() == {"status": "ready"}
                yield RunningService(service, client, end)
        finally:
            end()
