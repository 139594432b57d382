"""What every request gets around a service: what all servers have, a check of its token, a count."""

import hmac
import logging
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Scope

from hf_fewshot.service.measures import Measures
from hf_fewshot.web.envelope import Envelope
from hf_fewshot.web.refusal import Refusal

# Probes and the page come without a token; neither shows anything of the model.
OPEN = frozenset({"/", "/docs", "/health"})

logger = logging.getLogger(__name__)


def enveloped(
    app: ASGIApp, *, measures: Measures, paths: Collection[str], seconds: float, token: str | None = None
) -> Envelope:
    """An application with that around it.

    Args:
        app: the application.
        measures: counts every request.
        paths: those that are counted by their names; strangers choose the others, which are counted together.
        seconds: until a request is given up.
        token: that requests must bear; None for none.
    """

    def check(scope: Scope, headers: Headers) -> Refusal | None:
        if scope["path"] in OPEN or _may_ask(headers, token):
            return None
        remedy = "Send the token of this service in the header Authorization: Bearer <token>."
        return Refusal(401, "a token", "none or another", remedy, {"WWW-Authenticate": "Bearer"})

    def count(scope: Scope, status: int, seconds: float) -> None:
        measures.add_request(scope["path"] if scope["path"] in paths else "other", status, seconds)

    return Envelope(app, seconds=seconds, check=check, count=count, logger=logger)


def _may_ask(headers: Headers, token: str | None) -> bool:
    if token is None:
        return True
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())
