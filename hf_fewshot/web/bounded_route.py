"""Requests whose bodies are bounded in size, time and form."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.text.short_value import short
from hf_fewshot.web.refusal import Refusal


class BoundedRequest(Request):
    """A request whose body is JSON that has one meaning, of a bounded size, within the time limit.

    The application's state has `max_body`, in bytes; the envelope has set the deadline.
    """

    async def body(self) -> bytes:
        """All bytes of the body."""
        if not hasattr(self, "_body"):
            self._check_headers()
            try:
                async with asyncio.timeout_at(self.scope["deadline"]):
                    self._body = await self._read()
            except TimeoutError:
                got = f"a body that was not complete after {self.scope['seconds']:g} s"
                raise Refusal(408, "a whole request within the time limit", got, "Send it faster.") from None
        return self._body

    async def json(self) -> Any:
        """The body as JSON."""
        try:
            return strict_json(await self.body())
        except ValueError as error:
            remedy = f"{str(error)[:1].upper()}{str(error)[1:]}. Mend it and send it again."
            raise Refusal(422, "a body in JSON", short(self._body), remedy) from None

    @property
    def _max_body(self) -> int:
        return self.app.state.max_body

    def _check_headers(self) -> None:
        # Pages of other sites may send forms and plain text to this machine unasked, but no JSON.
        kind = self.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            remedy = "Send JSON with the header Content-Type: application/json."
            raise Refusal(415, "the content type application/json", short(kind), remedy)
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._max_body:
            raise self._too_large(f"{int(length):,} bytes")

    async def _read(self) -> bytes:
        parts, size = [], 0
        async for part in self.stream():
            size += len(part)
            if size > self._max_body:
                raise self._too_large("more")
            parts.append(part)
        return b"".join(parts)

    def _too_large(self, got: str) -> Refusal:
        return Refusal(413, f"at most {self._max_body:,} bytes", got, "Send less at once.")


class BoundedRoute(APIRoute):
    """A route that reads its requests so."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of FastAPI, with such requests."""
        handle = super().get_route_handler()

        async def bounded(request: Request) -> Response:
            return await handle(BoundedRequest(request.scope, request.receive))

        return bounded
