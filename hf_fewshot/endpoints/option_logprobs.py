"""The log-probabilities of options after a prompt, in the tokens of a server."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hf_fewshot.endpoints.usage import Usage
from hf_fewshot.in_context.branching import branch

COMPLETIONS = "/completions"
# Sends a request for an operation, and reads the body of the answer.
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


def parted(alone: Sequence[Any], wholes: Sequence[Sequence[Any]]) -> int:
    """Where options part from their prompt, in tokens, as on this machine."""
    end = branch(alone, wholes)
    if end < 1:
        raise UnknownWayError
    return end


def is_logprob(value: Any) -> bool:
    """Whether it is the logarithm of a probability, but for rounding."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value <= 1e-3
