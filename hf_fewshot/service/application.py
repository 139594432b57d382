"""The application: its paths, the page, and what OpenAPI says of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Security
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from fastapi.security import HTTPBearer
from starlette.types import ASGIApp

import hf_fewshot
from hf_fewshot.service.envelope import enveloped
from hf_fewshot.service.schemas import (
    ErrorResponse,
    ExamplesResponse,
    HealthResponse,
    ModelResponse,
    PredictResponse,
)
from hf_fewshot.service.service import Service
from hf_fewshot.web.bounded_route import BoundedRoute
from hf_fewshot.web.errors import handlers

REMEDY = "See /docs for what there is and what a request looks like."
PAGE = Path(__file__).with_name("page.html")
# The page needs nothing from elsewhere, and may not ask for it.
PAGE_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'"
STATUSES = {
    401: "The token of the service is missing, or another was sent.",
    403: "This service takes no examples.",
    408: "The request did not come within the time limit.",
    413: "The request, a text or the number of texts is too large.",
    415: "The request is no JSON.",
    422: "The request, a query or an example is malformed.",
    429: "Too much waits; Retry-After says when to try again.",
    500: "The model failed; the log has the error under the id of the request.",
    504: "There was no answer within the time limit.",
}
ASKING = (408, 413, 415, 422, 429, 500, 504)


def application(service: Service, *, token: str | None = None) -> ASGIApp:
    """A service as an ASGI application, which starts and ends its worker.

    Args:
        token: that clients must send as a bearer token; None for none.
    """

    @asynccontextmanager
    async def working(_: FastAPI) -> AsyncIterator[None]:
        service.worker.start()
        yield
        await asyncio.to_thread(service.worker.close)

    app = FastAPI(
        title="hf_fewshot",
        description=f"The model {service.name}.",
        version=hf_fewshot.__version__,
        docs_url=None,  # FastAPI's pages load scripts from other sites
        redoc_url=None,
        redirect_slashes=False,
        lifespan=working,
        exception_handlers=handlers(REMEDY, "an answer of the model"),
    )
    app.state.max_body = service.limits.body
    app.router.route_class = BoundedRoute
    # The envelope checks the token, before a request is read; this only documents it.
    secured = [] if token is None else [Security(HTTPBearer(auto_error=False))]
    denied = () if token is None else (401,)

    def add(path: str, endpoint: Any, method: str, model: Any, *statuses: int, **options: Any) -> None:
        responses = {one: {"model": ErrorResponse, "description": STATUSES[one]} for one in (*denied, *statuses)}
        app.add_api_route(
            path,
            endpoint,
            methods=[method],
            response_model=model,
            responses={**responses, **options.pop("responses", {})},
            dependencies=secured,
            **options,
        )

    add("/predict", service.predict, "POST", PredictResponse, *ASKING)
    add("/examples", service.add_examples, "POST", ExamplesResponse, 403, *ASKING)
    add("/model", service.model, "GET", ModelResponse)
    add("/metrics", service.metrics, "GET", None, response_class=PlainTextResponse)
    ending: dict[int | str, dict[str, Any]] = {503: {"model": HealthResponse, "description": "The service is ending."}}
    app.add_api_route("/health", service.health, response_model=HealthResponse, responses=ending)
    app.add_api_route("/docs", _page, include_in_schema=False)
    app.add_api_route("/", _to_page, include_in_schema=False)
    paths = {"/", "/docs", "/openapi.json", *app.openapi()["paths"]}
    return enveloped(app, measures=service.measures, paths=paths, seconds=service.limits.seconds, token=token)


async def _page() -> HTMLResponse:
    return HTMLResponse(PAGE.read_text("utf-8"), headers={"Content-Security-Policy": PAGE_POLICY})


async def _to_page() -> RedirectResponse:
    return RedirectResponse("/docs")
