"""Who may ask a server of a study at all: from which pages, under which names, with which key."""

import hmac
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from hf_fewshot.text.short_value import short
from hf_fewshot.web.refusal import Refusal

REMEDY = "Open the link that the server printed."
KEY_COOKIE = "access_key"
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
# Nothing of the page comes from elsewhere, and nothing of it may be shown in pages of others.
POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def guard(key: str | None) -> Callable[[Scope, Headers], Refusal | None]:
    """Why a request is refused, or None.

    Without a key the server is for this machine: another name of it in the address is that of a page which has its own
    name point here. With one, every request must bring it: in the link, a header, or the cookie that the page got.
    """

    def check(scope: Scope, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        if key is None and _hostname(host) not in LOCAL:
            return Refusal(403, "an address of this machine", short(host), REMEDY)
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host:
            return Refusal(403, "a request of the page itself", short(origin), REMEDY)
        if key is None or any(hmac.compare_digest(one.encode(), key.encode()) for one in _keys(scope, headers)):
            return None
        return Refusal(401, "the access key", "none or another", REMEDY)

    return check


def _place(origin: str) -> str | None:
    """Host and port of an origin."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _keys(scope: Scope, headers: Headers) -> list[str]:
    """What a request brings."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        cookies.clear()
    given = [headers.get("x-access-key", ""), *query.get("key", ())]
    return [*given, cookies[KEY_COOKIE].value] if KEY_COOKIE in cookies else given
