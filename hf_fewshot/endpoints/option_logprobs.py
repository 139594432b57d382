"""The log-probabilities of options after a prompt, in the tokens of a server."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hf_fewshot.endpoints.usage import Usage

# Sends a prompt and some fields, and reads the body of the answer.
Send = Callable[[str, Mapping[str, Any], Callable[[Any], Any]], Any]


class UnknownWayError(Exception):
    """The server answers, but says nothing of how likely an option is in the way it was asked."""


@dataclass(frozen=True)
class OptionLogprobs:
    """Of each option, the log-probabilities of its tokens, each after all before it; and the tokens that it took."""

    values: list[list[float]]
    usage: Usage


class Way(Protocol):
    """A way in which servers say how likely an option is."""

    def ask(self, send: Send, prompt: str, options: Sequence[str]) -> OptionLogprobs:
        """Raises `UnknownWayError` where the server does not know this way."""
