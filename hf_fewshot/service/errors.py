"""Every error of the application as a response in one form."""

from collections.abc import Callable
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from hf_fewshot.service.refusal import Refusal, refused
from hf_fewshot.text.short_value import short

REMEDY = "See /docs for what there is and what a request looks like."


async def _http_error(request: Request, error: HTTPException) -> JSONResponse:
    """A refusal of ours, or what the router found: no such path, another method."""
    if isinstance(error, Refusal):
        return _refused(request, error)
    if error.status_code == 404:
        return _refused(request, Refusal(404, "a path of this service", short(request.url.path), REMEDY))
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        return _refused(request, Refusal(405, f"the method {allowed}", request.method, REMEDY, error.headers))
    return _refused(request, Refusal(error.status_code, "a whole request", str(error.detail), REMEDY, error.headers))


async def _malformed(request: Request, error: RequestValidationError) -> JSONResponse:
    """What pydantic found first."""
    first, *others = error.errors()
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    said = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
    more = f" (and {len(others)} more)" if others else ""
    got = "nothing" if first["type"] == "missing" else short(first["input"])
    return _refused(request, Refusal(422, f"{where}: {said}{more}", got, REMEDY))


async def _failed(request: Request, error: Exception) -> JSONResponse:
    """An error of the model, or of ours; the envelope logs it."""
    remedy = "Look into the log of the service for the id of this request."
    return _refused(request, Refusal(500, "an answer of the model", type(error).__name__, remedy))


def _refused(request: Request, refusal: Refusal) -> JSONResponse:
    return refused(refusal, request.scope["request_id"])


HANDLERS: dict[Any, Callable[[Request, Any], Any]] = {
    HTTPException: _http_error,
    RequestValidationError: _malformed,
    Exception: _failed,
}
