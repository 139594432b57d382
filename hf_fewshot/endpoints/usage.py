"""The tokens that a server counted."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

MOST_TOKENS = 10**9


class Usage(NamedTuple):
    """Tokens of prompts and answers; those that a model thought in are among the latter."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0

    @classmethod
    def of(cls, body: Any) -> "Usage":
        """What a body says; what is no count counts nothing."""
        counts = _part(body, "usage")
        details = _part(counts, "completion_tokens_details")
        return cls(
            _whole(counts.get("prompt_tokens")),
            _whole(counts.get("completion_tokens")),
            _whole(details.get("reasoning_tokens")),
        )

    def plus(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage.total((self, other))

    @classmethod
    def total(cls, usages: Iterable["Usage"]) -> "Usage":
        """All together."""
        return cls(*map(sum, zip(*usages, strict=True)))


def _part(mapping: Any, name: str) -> Mapping[str, Any]:
    found = mapping.get(name) if isinstance(mapping, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _whole(value: Any) -> int:
    return value if type(value) is int and 0 < value < MOST_TOKENS else 0
