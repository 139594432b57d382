"""What every request gets around the application: id, deadline, check of its token, a count, a line in the log."""

import asyncio
import hmac
import logging
import re
import uuid
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hf_fewshot.service.measures import Measures
from hf_fewshot.service.refusal import Refusal, refused
from hf_fewshot.text.visible import visible

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Probes and the page come without a token; neither shows anything of the model.
OPEN = frozenset({"/", "/docs", "/health"})

logger = logging.getLogger(__name__)


class Envelope:
    """An application with that around it.

    Args:
        app: the application.
        measures: counts every request once, when its response begins.
        paths: those that are counted by their names; strangers choose the others, which are counted together.
        seconds: until a request is given up.
        token: that requests must bear; None for none.
    """

    def __init__(
        self, app: ASGIApp, *, measures: Measures, paths: Collection[str], seconds: float, token: str | None = None
    ) -> None:
        self.app = app
        self.measures = measures
        self.paths = paths
        self.seconds = seconds
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        began = clock()
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        scope.update(request_id=request_id, deadline=began + self.seconds)
        path = scope["path"] if scope["path"] in self.paths else "other"

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
                status, seconds = message["status"], clock() - began
                self.measures.add_request(path, status, seconds)
                asked = f"{scope['method']} {visible(scope['path'], keep='')[:200]}"
                logger.info("%s %s %d %.1f ms", request_id, asked, status, seconds * 1e3)
            await send(message)

        try:
            if scope["path"] in OPEN or self._may_ask(headers):
                await self.app(scope, receive, counted)
            else:
                remedy = "Send the token of this service in the header Authorization: Bearer <token>."
                refusal = Refusal(401, "a token", "none or another", remedy, {"WWW-Authenticate": "Bearer"})
                await refused(refusal, request_id)(scope, receive, counted)
        except Exception:
            # The application has answered with 500 before it raised the error again.
            logger.exception("%s failed", request_id)

    def _may_ask(self, headers: Headers) -> bool:
        if self.token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), self.token.encode())
