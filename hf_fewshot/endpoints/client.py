"""A client of inference servers that reads no answer without end."""

import json
import time
import weakref
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import httpx

# A completion is one line; with all that servers send along it takes some kilobytes.
MAX_BYTES = 4 << 20
MOST_REDIRECTS = 10
# A server of this machine is behind no proxy, whatever the environment says of others.
NO_PROXY: Mapping[str, None] = dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]"))
OPERATIONS = ("/chat/completions", "/completions")
# Not a part of the API: beside it, not below it.
BESIDE = ("/tokenize",)


class Reply(NamedTuple):
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Client:
    """Sends JSON to one server.

    The timeout of httpx is that of each piece, so an answer that trickles would never end: here it is that of the
    whole answer. The Hub's offline mode does not touch it.

    Args:
        url: to which the name of an operation is added, such as `https://host/v1`; parameters stay behind it.
        connections: the most requests at a time.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float, connections: int) -> None:
        self._url = httpx.URL(url)
        self._timeout = timeout
        self._http = httpx.Client(
            headers={"Content-Type": "application/json", **headers},
            timeout=timeout,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            mounts=dict(NO_PROXY),
        )
        # Connections are kept from one request to the next, and nobody says which is the last.
        weakref.finalize(self, self._http.close)

    def post(self, operation: str, body: Mapping[str, Any]) -> Reply:
        """The answer to a request, such as `/chat/completions`; a redirect takes no key to another host."""
        deadline = time.monotonic() + self._timeout
        content = json.dumps(body, ensure_ascii=True).encode()
        request = self._http.build_request("POST", self._at(operation), content=content)
        for _ in range(MOST_REDIRECTS + 1):
            response = self._http.send(request, stream=True)
            try:
                if response.next_request is None:
                    return Reply(response.status_code, response.headers, _read(response.iter_bytes(), deadline))
                request = response.next_request
            finally:
                response.close()
            if request.method != "POST":
                raise ValueError(f"it redirects to {request.url}, without what was asked. Give that address instead")
        raise httpx.TooManyRedirects(f"more than {MOST_REDIRECTS} redirects", request=request)

    def _at(self, operation: str) -> httpx.URL:
        path = self._url.path.rstrip("/")
        for end in OPERATIONS:
            path = path.removesuffix(end)
        if operation in BESIDE:
            return self._url.copy_with(path=f"{path.removesuffix('/v1')}{operation}")
        return self._url.copy_with(path=f"{path or '/v1'}{operation}")


def _read(chunks: Iterable[bytes], deadline: float) -> bytes:
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            raise ValueError(f"the answer is larger than {MAX_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise httpx.ReadTimeout("the answer took longer than the timeout")
    return bytes(body)
