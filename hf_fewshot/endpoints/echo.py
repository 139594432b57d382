"""Options behind a prompt that a server gives back: in its own tokens, with their log-probabilities."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from hf_fewshot.endpoints.option_logprobs import COMPLETIONS, OptionLogprobs, Send, UnknownWayError, is_logprob, parted
from hf_fewshot.endpoints.usage import Usage


class Echo(NamedTuple):
    """The tokens of a text and, of each but the first, how likely it was after those before it."""

    tokens: list[str]
    logprobs: list[float | None]
    usage: Usage


class Echoing(ABC):
    """A prompt is sent alone and with each option behind it, so that it shows which tokens belong to the option."""

    fields: ClassVar[Mapping[str, Any]]

    def ask(self, send: Send, prompt: str, options: Sequence[str]) -> OptionLogprobs:
        """As many requests as there are options, and one."""
        texts = (prompt, *(prompt + option for option in options))
        alone, *wholes = (
            send(COMPLETIONS, {"prompt": text, **self.fields}, partial(self.read, text)) for text in texts
        )
        end = parted(alone.tokens, [whole.tokens for whole in wholes])
        values = [[value for value in whole.logprobs[end:] if value is not None] for whole in wholes]
        return OptionLogprobs(values, Usage.total(one.usage for one in (alone, *wholes)))

    @abstractmethod
    def read(self, text: str, body: Any) -> Echo:
        """The text as a server gives it back."""


class Echoed(Echoing):
    """`echo` and `logprobs` of completions: as OpenAI had it first, in vLLM, SGLang and llama-cpp-python."""

    # Some servers take 0 tokens for as many as there are.
    fields = {"echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0.0}  # noqa: RUF012

    def read(self, text: str, body: Any) -> Echo:
        choice = body["choices"][0]
        given = choice.get("logprobs")
        # Some servers leave `echo` out without a word.
        if not isinstance(given, Mapping) or not str(choice.get("text")).startswith(text):
            raise UnknownWayError
        tokens, logprobs, usage = given.get("tokens"), given.get("token_logprobs"), Usage.of(body)
        # What was generated behind the text is none of it.
        return _checked(tokens, logprobs, usage, len(tokens or ()) - usage.completion_tokens)


class PromptLogprobs(Echoing):
    """`prompt_logprobs` of vLLM, of which each position has the token of the prompt alone."""

    fields = {"prompt_logprobs": 0, "max_tokens": 1, "temperature": 0.0}  # noqa: RUF012

    def read(self, text: str, body: Any) -> Echo:
        given = body["choices"][0].get("prompt_logprobs", body.get("prompt_logprobs"))
        if not isinstance(given, list):
            raise UnknownWayError
        # Before the first token there is nothing: it has no probability, and no name here.
        pairs = [next(iter(one.items())) if one else ("", {"logprob": None}) for one in given]
        tokens, logprobs = [name for name, _ in pairs], [one["logprob"] for _, one in pairs]
        return _checked(tokens, logprobs, Usage.of(body), len(tokens))


def _checked(tokens: Any, logprobs: Any, usage: Usage, n_tokens: int) -> Echo:
    if not isinstance(tokens, list) or not isinstance(logprobs, list) or len(tokens) != len(logprobs):
        raise ValueError("tokens and their log-probabilities that do not belong together")
    if n_tokens < 2 or not all(is_logprob(one) for one in logprobs[1:n_tokens]):
        raise UnknownWayError
    return Echo([str(token) for token in tokens[:n_tokens]], logprobs[:n_tokens], usage)
