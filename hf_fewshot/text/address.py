"""Where a server is: what is asked, what may be shown of it, and what must not."""

import base64
import json
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

# A server may answer with pages of text.
LONGEST_MESSAGE = 1000
# A parameter of a URL that is so long may be a key, whatever its name; a shorter one, such as a version, may not.
SHORTEST_PARAMETER = 8


@dataclass(frozen=True)
class Address:
    """The address of a server.

    Args:
        url: what is asked, without user and password: they go into a header, and so into no error or log.
        authorization: that header.
        secrets: what no message may hold.
    """

    url: str
    authorization: str | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, url: str, token: str | None = None, *, what: str = "endpoint") -> "Address":
        """The address that a URL, with or without user and password, and a key stand for.

        Args:
            what: the server, for messages.
        """
        parts = _split(url, token, what)
        if token is not None and not (token.isascii() and token.isprintable()):
            raise ValueError(
                f"The token for the {what} has characters that no request can hold, such as a line break."
            )
        parameters = [value for _, value in parse_qsl(parts.query) if len(value) >= SHORTEST_PARAMETER]
        if parts.username is None and parts.password is None:
            return cls(url, None, _spellings(token, *parameters))
        if token is not None:
            raise ValueError(
                f"The {what} {redacted(url, token)} has a user in its URL and a token besides, but a request has "
                "one header for both. Give one of them."
            )
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        coded = base64.b64encode(f"{user}:{password}".encode()).decode()
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        # A key may stand alone, in the place of the user.
        secret = (password, parts.password) if password else (user, parts.username)
        return cls(bare, f"Basic {coded}", _spellings(*secret, coded, *parameters))

    @property
    def shown(self) -> str:
        """The URL as it may be stored and printed."""
        return visible(redacted(self.url, *self.secrets))

    def safe(self, text: object) -> str:
        """What a server or library said, without secrets and control characters, and cut where it is long."""
        clean = visible(redacted(str(text), *self.secrets))
        return clean if len(clean) <= LONGEST_MESSAGE else f"{clean[:LONGEST_MESSAGE]}..."


def _split(url: str, token: str | None, what: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        fits = fits and url.isprintable() and " " not in url
    except ValueError:  # a port or an address that is none
        fits = False
    if not fits:
        raise ValueError(
            f"Expected the URL of the {what}, such as http://localhost:8000/v1, got {visible(redacted(url, token))!r}."
        )
    return parts


def _spellings(*secrets: str | None) -> tuple[str, ...]:
    """The secrets as they stand, and as JSON spells them."""
    given = [secret for secret in secrets if secret]
    return tuple(dict.fromkeys([*given, *(json.dumps(secret)[1:-1] for secret in given)]))
