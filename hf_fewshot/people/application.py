"""The application: the page, and the paths that it asks."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response
from starlette.types import ASGIApp

from hf_fewshot.people.desk import Desk
from hf_fewshot.people.guard import HEADERS, KEY_COOKIE, guard
from hf_fewshot.people.study import Study
from hf_fewshot.text.look import MARKS, PALETTE
from hf_fewshot.web.bounded_route import BoundedRoute
from hf_fewshot.web.envelope import Envelope
from hf_fewshot.web.errors import handlers

PAGE = Path(__file__).with_name("page")
FIRST = "page.html"
STYLE = "annotate.css"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
MAX_BODY = 1 << 18  # bytes: more marks than anybody makes
SECONDS = 30.0

logger = logging.getLogger(__name__)


def application(study: Study, finished: Callable[[], None], *, key: str | None = None) -> ASGIApp:
    """A study as an ASGI application.

    Args:
        finished: called when an annotator is done, or is so no longer.
        key: that every request must bring; None for a server that only this machine reaches.
    """
    app = FastAPI(
        title="hf-fewshot annotate",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        exception_handlers=handlers("Open the page again.", "an answer"),
    )
    app.state.max_body = MAX_BODY
    app.router.route_class = BoundedRoute
    desk = Desk(study, finished)

    def add(path: str, endpoint: Any, method: str) -> None:
        app.add_api_route(path, endpoint, methods=[method], response_model=None)

    for name in sorted(path.name for path in PAGE.iterdir() if path.suffix in TYPES):
        add("/" if name == FIRST else f"/{name}", _file(name, key), "GET")
    add("/api/study", desk.about, "GET")
    add("/api/annotators", desk.join, "POST")
    add("/api/state", desk.state, "GET")
    add("/api/begin", desk.begin, "POST")
    add("/api/answers", desk.answer, "POST")
    add("/api/undo", desk.undo, "POST")
    return Envelope(app, seconds=SECONDS, check=guard(key), headers=HEADERS, logger=logger)


def _file(name: str, key: str | None) -> Any:
    """A path that gives a file of the page; with a key, it leaves it with the browser for the other files."""

    def file() -> Response:
        # Colours and marks are those of all our pages, and stand before the page's own style.
        paths = [*([PALETTE, MARKS] if name == STYLE else ()), PAGE / name]
        content = b"".join(path.read_bytes() for path in paths)
        response = Response(content, media_type=f"{TYPES[paths[-1].suffix]}; charset=utf-8")
        if key is not None:
            response.set_cookie(KEY_COOKIE, key, httponly=True, samesite="strict")
        return response

    return file
