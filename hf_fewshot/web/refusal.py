"""Why a request is not answered: what was expected, what came, what to do."""

from collections.abc import Mapping
from typing import Any

from fastapi import HTTPException
from fastapi.responses import JSONResponse


class Refusal(HTTPException):
    """Ends a request with a status and a reason."""

    def __init__(
        self, status: int, expected: str, got: str, remedy: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, f"Expected {expected}, got {got}. {remedy}", dict(headers or {}))
        self.reason = {"expected": expected, "got": got, "remedy": remedy}


def refused(refusal: Refusal, request_id: str) -> JSONResponse:
    """The response to a request that is refused."""
    content: dict[str, Any] = {"error": {**refusal.reason, "request_id": request_id}}
    return JSONResponse(content, refusal.status_code, refusal.headers)
