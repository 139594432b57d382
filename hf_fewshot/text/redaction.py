"""Keeps passwords and keys out of records, reports, logs and messages."""

import re
from collections.abc import Mapping
from typing import Any

REDACTED = "<redacted>"

# A password may hold an @, so the last one before the host counts. `git@` is the same for all and no secret. A scheme
# is short: without a bound, long text without a URL would take quadratic time.
_USER_INFO = re.compile(r"(?P<before>\b[a-zA-Z][a-zA-Z0-9+.-]{0,20}://)(?!git@)[^/\s?#'\"]+(?=@)")
_PARAMETER = re.compile(
    r"(?P<before>[?&;](?:[\w-]*(?:token|key|secret|password|passwd|pwd|signature)|sig|auth)=)[^&#;\s'\"]+",
    re.IGNORECASE,
)
# Alone, "basic training" and "bearer certificates" are English: it takes the header's name, or a digit in the rest.
_HEADER = re.compile(r"(?P<before>\bAuthorization\W{1,5}(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]+", re.IGNORECASE)
_BEARER = re.compile(r"(?P<before>\bBearer\s+)(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
# Tokens of Hugging Face and OpenAI; names such as sk-learn-pipelines have no part so long.
_KEY = re.compile(
    r"(?P<before>)(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{0,200}?[A-Za-z0-9]{16,}[A-Za-z0-9_-]*)"
)
# What nobody writes by chance, whatever the text is about.
_UNMISTAKABLE = re.compile(
    r"(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|sk-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{0,200}?[A-Za-z0-9]{20,})"
)


def redacted(text: str, *secrets: str | None) -> str:
    """The text without what is known or looks like a secret.

    That is: user and password of URLs, parameters of URLs with the name of a key, `Bearer` and `Basic` headers, tokens
    of Hugging Face and OpenAI, and the given secrets wherever they stand.
    """
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    for pattern in (_USER_INFO, _PARAMETER, _HEADER, _BEARER, _KEY):
        text = pattern.sub(rf"\g<before>{REDACTED}", text)
    return text


def redacted_values(value: Any, *secrets: str | None) -> Any:
    """A value of JSON or YAML with `redacted` over every text in it, keys of mappings too."""
    if isinstance(value, str):
        return redacted(value, *secrets)
    if isinstance(value, Mapping):
        return {redacted_values(name, *secrets): redacted_values(one, *secrets) for name, one in value.items()}
    return [redacted_values(one, *secrets) for one in value] if isinstance(value, list | tuple) else value


def holds_secret(text: str, *secrets: str | None) -> bool:
    """Whether `redacted` would change the text."""
    return redacted(text, *secrets) != text


def holds_token(text: str, *secrets: str | None) -> bool:
    """Whether one of the given secrets stands in the text, or a token that cannot be anything else.

    For sentences of benchmarks and vocabularies, in which an odd URL is no password of the user's.
    """
    return _UNMISTAKABLE.search(text) is not None or any(secret in text for secret in secrets if secret)
