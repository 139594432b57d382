"""Where an endpoint is: what is asked, what may be shown of it, and what must not."""

import base64
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from hf_fewshot.redaction import redacted
from hf_fewshot.visible import visible

# A server may answer with pages of text.
LONGEST_MESSAGE = 1000


@dataclass(frozen=True)
class Address:
    """The address of an endpoint.

    Args:
        url: what is asked, without user and password: they go into a header, and so into no error or log.
        authorization: that header.
        secrets: what no message may hold.
    """

    url: str
    authorization: str | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, url: str, token: str | None = None) -> "Address":
        """The address that a URL, with or without user and password, and a key stand for."""
        parts = _split(url, token)
        if parts.username is None and parts.password is None:
            return cls(url, None, _not_empty(token))
        if token is not None:
            raise ValueError(
                f"The endpoint {redacted(url, token)} has a user in its URL and a token besides, but a request has "
                "one header for both. Give one of them."
            )
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        coded = base64.b64encode(f"{user}:{password}".encode()).decode()
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        return cls(bare, f"Basic {coded}", _not_empty(password, parts.password, coded))

    @property
    def shown(self) -> str:
        """The URL as it may be stored and printed."""
        return redacted(self.url, *self.secrets)

    def safe(self, text: object) -> str:
        """What a server or library said, without secrets and control characters, and cut where it is long."""
        clean = visible(redacted(str(text), *self.secrets))
        return clean if len(clean) <= LONGEST_MESSAGE else f"{clean[:LONGEST_MESSAGE]}..."


def _split(url: str, token: str | None) -> SplitResult:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port or an address that is none
        fits = False
    if not fits:
        raise ValueError(
            f"Expected the URL of an endpoint such as http://localhost:8000/v1, got {visible(redacted(url, token))!r}."
        )
    return parts


def _not_empty(*secrets: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(secret for secret in secrets if secret))
