"""What every request gets around an application: id, deadline, a check before it is read, a line in the log."""

import asyncio
import logging
import re
import uuid
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hf_fewshot.text.visible import visible
from hf_fewshot.web.refusal import Refusal, refused

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

Check = Callable[[Scope, Headers], Refusal | None]
Count = Callable[[Scope, int, float], None]


class Envelope:
    """An application with that around it.

    Args:
        app: the application.
        seconds: until a request is given up.
        check: why a request is refused before anything of it is read; None where it is not.
        count: told of every request once, when its response begins: its status, and the seconds since it came.
        headers: of every response.
        logger: gets a line for each request.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        seconds: float,
        check: Check,
        count: Count | None = None,
        headers: Mapping[str, str] | None = None,
        logger: logging.Logger,
    ) -> None:
        self.app = app
        self.seconds = seconds
        self.check = check
        self.count = count
        self.headers = dict(headers or {})
        self.logger = logger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        began = clock()
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        scope.update(request_id=request_id, deadline=began + self.seconds, seconds=self.seconds)

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                own["X-Request-ID"] = request_id
                for name, value in self.headers.items():
                    own[name] = value
                status, seconds = message["status"], clock() - began
                if self.count is not None:
                    self.count(scope, status, seconds)
                asked = f"{scope['method']} {visible(scope['path'], keep='')[:200]}"
                self.logger.info("%s %s %d %.1f ms", request_id, asked, status, seconds * 1e3)
            await send(message)

        try:
            refusal = self.check(scope, headers)
            if refusal is None:
                await self.app(scope, receive, counted)
            else:
                await refused(refusal, request_id)(scope, receive, counted)
        except Exception:
            # The application has answered with 500 before it raised the error again.
            self.logger.exception("%s failed", request_id)
