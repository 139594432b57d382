"""A prompt as a server gives it back: in its own tokens, with their log-probabilities."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hf_fewshot.endpoints.usage import Usage


@dataclass(frozen=True)
class Echo:
    """The tokens of a prompt and, of each but the first, how likely it was after those before it."""

    tokens: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    usage: Usage


class NoEchoError(Exception):
    """The server answers, but says nothing of how likely the prompt is."""


class Way(Protocol):
    """A way in which servers say how likely a prompt is: what is sent along, and how the answer is read."""

    fields: Mapping[str, Any]

    def read(self, body: Any, prompt: str) -> Echo:
        """Raises `NoEchoError` where the server does not know this way."""


class Echoed:
    """`echo` and `logprobs` of completions: as OpenAI had it first, in vLLM, SGLang and llama-cpp-python."""

    # Some servers take 0 tokens for as many as there are.
    fields: Mapping[str, Any] = {"echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0.0}

    def read(self, body: Any, prompt: str) -> Echo:
        """Raises `NoEchoError` where a server does not know `echo`, or leaves it out without a word (llama.cpp)."""
        choice = body["choices"][0]
        given = choice.get("logprobs")
        if not isinstance(given, Mapping) or not str(choice.get("text")).startswith(prompt):
            raise NoEchoError
        usage = Usage.of(body)
        tokens, logprobs = given.get("tokens"), given.get("token_logprobs")
        return _checked(tokens, logprobs, usage, len(tokens or ()) - usage.completion_tokens)


class PromptLogprobs:
    """`prompt_logprobs` of vLLM, of which each position has the token of the prompt alone."""

    fields: Mapping[str, Any] = {"prompt_logprobs": 0, "max_tokens": 1, "temperature": 0.0}

    def read(self, body: Any, prompt: str) -> Echo:
        """Raises `NoEchoError` where a server does not know the field."""
        choice = body["choices"][0]
        given = choice.get("prompt_logprobs", body.get("prompt_logprobs"))
        if not isinstance(given, list) or not given:
            raise NoEchoError
        # Before the first token there is nothing: it has no probability, and no name here.
        pairs = [next(iter(one.items())) if one else ("", {"logprob": None}) for one in given]
        tokens, logprobs = [name for name, _ in pairs], [one["logprob"] for _, one in pairs]
        return _checked(tokens, logprobs, Usage.of(body), len(tokens))


WAYS: tuple[Way, ...] = (Echoed(), PromptLogprobs())


def _checked(tokens: Any, logprobs: Any, usage: Usage, n_tokens: int) -> Echo:
    """What was generated after the prompt is cut off."""
    if not isinstance(tokens, Sequence) or not isinstance(logprobs, Sequence) or len(tokens) != len(logprobs):
        raise ValueError("tokens and their log-probabilities that do not belong together")
    if n_tokens < 2 or not all(_is_logprob(one) for one in logprobs[1:n_tokens]):
        raise NoEchoError
    return Echo(tuple(map(str, tokens[:n_tokens])), tuple(logprobs[:n_tokens]), usage)


def _is_logprob(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value <= 1e-3
