"""Every error of the application as a response in one form."""

from collections.abc import Callable
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from hf_fewshot.text.short_value import short
from hf_fewshot.web.refusal import Refusal, refused

Handler = Callable[[Request, Any], Any]


def handlers(remedy: str, answer: str) -> dict[Any, Handler]:
    """The handlers of errors for an application.

    Args:
        remedy: what to do where a request is none that the application has.
        answer: what was expected where it fails.
    """

    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        """A refusal of ours, or what the router found: no such path, another method."""
        if isinstance(error, Refusal):
            return _refused(request, error)
        if error.status_code == 404:
            return _refused(request, Refusal(404, "a path of this service", short(request.url.path), remedy))
        if error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "")
            return _refused(request, Refusal(405, f"the method {allowed}", request.method, remedy, error.headers))
        said = str(error.detail)
        return _refused(request, Refusal(error.status_code, "a whole request", said, remedy, error.headers))

    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        """What pydantic found first."""
        first, *others = error.errors()
        where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
        said = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
        more = f" (and {len(others)} more)" if others else ""
        got = "nothing" if first["type"] == "missing" else short(first["input"])
        return _refused(request, Refusal(422, f"{where}: {said}{more}", got, remedy))

    async def failed(request: Request, error: Exception) -> JSONResponse:
        """An error of what the application holds, or of ours; the envelope logs it."""
        log = "Look into the log of the service for the id of this request."
        return _refused(request, Refusal(500, answer, type(error).__name__, log))

    return {HTTPException: http_error, RequestValidationError: malformed, Exception: failed}


def _refused(request: Request, refusal: Refusal) -> JSONResponse:
    return refused(refusal, request.scope["request_id"])
