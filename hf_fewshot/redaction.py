"""Keeps passwords and keys out of records, reports, logs and messages."""

import re

REDACTED = "<redacted>"

_USER_INFO = re.compile(r"(?P<scheme>\b[a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s?#@'\"]*@")
_PARAMETER = re.compile(
    r"(?P<name>[?&;](?:[\w-]*(?:token|key|secret|password|passwd|pwd|signature)|sig|auth)=)[^&#;\s'\"]+", re.IGNORECASE
)
_HEADER = re.compile(r"(?P<name>\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_KEY = re.compile(r"\b(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,})")


def redacted(text: str, *secrets: str | None) -> str:
    """The text without what is known or looks like a secret.

    That is: user and password of URLs, parameters of URLs with the name of a key, `Bearer` and `Basic` headers, tokens
    of Hugging Face and OpenAI, and the given secrets wherever they stand.
    """
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    text = _USER_INFO.sub(rf"\g<scheme>{REDACTED}@", text)
    text = _PARAMETER.sub(rf"\g<name>{REDACTED}", text)
    text = _HEADER.sub(rf"\g<name>{REDACTED}", text)
    return _KEY.sub(REDACTED, text)


def holds_secret(text: str, *secrets: str | None) -> bool:
    """Whether `redacted` would change the text."""
    return redacted(text, *secrets) != text
