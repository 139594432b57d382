"""A client of inference servers that reads no answer without end."""

import time
from collections.abc import Iterable
from typing import Any

from huggingface_hub import InferenceClient, get_session
from huggingface_hub.errors import InferenceTimeoutError
from huggingface_hub.utils import hf_raise_for_status

# A completion is one line; with all that servers send along it takes some kilobytes.
MAX_BYTES = 4 << 20
# Headers that are no longer true when the body has been read, and one whose text the library would print as it stands.
LEFT_OUT = (b"content-encoding", b"content-length", b"transfer-encoding", b"x-hf-warning")


class BoundedClient(InferenceClient):
    """An `InferenceClient` whose timeout is that of the whole answer, and whose answers have a largest size.

    The timeout of the library is that of each piece, so an answer that trickles would never end.
    """

    def _inner_post(self, request_parameters: Any, *, stream: bool = False) -> Any:
        if stream:
            raise ValueError("Answers are read whole, never as a stream.")
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        with get_session().stream(
            "POST",
            request_parameters.url,
            json=request_parameters.json,
            content=request_parameters.data,
            headers=request_parameters.headers,
            cookies=self.cookies,
            timeout=self.timeout,
        ) as response:
            body = _read(response.iter_bytes(), deadline)
        # The library reads the body of an error for its message: it is given the one that has been read.
        headers = [pair for pair in response.headers.raw if pair[0].lower() not in LEFT_OUT]
        hf_raise_for_status(
            type(response)(response.status_code, headers=headers, content=body, request=response.request)
        )
        return body


def _read(chunks: Iterable[bytes], deadline: float | None) -> bytes:
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            raise ValueError(f"the answer is larger than {MAX_BYTES:,} bytes")
        if deadline is not None and time.monotonic() > deadline:
            raise InferenceTimeoutError("the answer took longer than the timeout")
    return bytes(body)
