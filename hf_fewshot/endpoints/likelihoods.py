"""Labels by likelihood, from a server that says how likely a prompt is."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any

from hf_fewshot.endpoints.courier import Courier, RefusedError
from hf_fewshot.endpoints.echo import WAYS, Echo, NoEchoError, Way
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.usage import Usage
from hf_fewshot.in_context.backend import Answer, Request

OPERATION = "/completions"
# How servers answer that have no such operation.
NOWHERE = (404, 405, 501)
NOT_THERE = "It is asked for the likelihood of labels, at /completions: with labels=written it is asked for a chat."
CHARACTERS = 4
# Of queries without content, which are the same for all queries of an episode.
MOST_KEPT = 100
NO_LIKELIHOODS = (
    "says nothing of how likely a prompt is: it knows neither echo with logprobs nor prompt_logprobs of completions. "
    "Take labels=written, or a server that does (vLLM, SGLang, llama-cpp-python)."
)


class Likelihoods:
    """How likely each option is after a query, as plain text, with the numbers of a model on this machine.

    A prompt is sent with each option behind it, and alone, so that it shows which of the server's tokens belong to the
    option: as on this machine, those after the last one that the prompt has with and without each option.
    """

    def __init__(self, courier: Courier, model: str | None) -> None:
        self._courier = courier
        self._model = model
        self._lock = threading.Lock()
        self._way: Way | None = None
        self._content_free: dict[str, Any] = {}

    def begin(self) -> None:
        """Before the first request of a run."""
        self._way = None
        self._content_free.clear()

    def answer(self, request: Request, query: str) -> Answer:
        """The calibrated log-probability of each option."""
        prefix = request.prompts.prefix(range(len(request.prompts.demonstrations)))
        options = request.options or ()
        values, usage = self._comparable(prefix + query, request)
        free = []
        for text in request.content_free:
            prompt = prefix + text
            key = "\0".join((prompt, *options))
            if key not in self._content_free:
                if len(self._content_free) >= MOST_KEPT:
                    self._content_free.clear()
                self._content_free[key], more = self._comparable(prompt, request)
                usage = usage.plus(more)
            free.append(self._content_free[key])
        return Answer(scores=request.calibration.correct(values, free).tolist(), **usage._asdict())

    def _comparable(self, prompt: str, request: Request) -> tuple[Any, Usage]:
        alone = self._echo(prompt)
        wholes = [self._echo(f"{prompt} {word}") for word in request.options or ()]
        end = min(min(_n_shared(alone.tokens, whole.tokens), len(whole.tokens) - 1) for whole in wholes)
        if end < 1:
            raise RefusedError("the prompt together with a label is a single token")
        own = [[value for value in whole.logprobs[end:] if value is not None] for whole in wholes]
        usage = Usage()
        for one in (alone, *wholes):
            usage = usage.plus(one.usage)
        return request.calibration.comparable([sum(values) for values in own], [len(values) for values in own]), usage

    def _echo(self, text: str) -> Echo:
        # As long as it is not known how, one request after the other finds out.
        with self._lock if self._way is None else nullcontext():
            for way in WAYS if self._way is None else (self._way,):
                with suppress(NoEchoError, RefusedError):
                    echo = self._ask(way, text)
                    self._way = way
                    return echo
        # It may be the prompt that is refused: then it is without these fields, too.
        self._deliver({"max_tokens": 1}, text, lambda body: body["choices"][0]["text"])
        raise self._courier.end(NO_LIKELIHOODS)

    def _ask(self, way: Way, text: str) -> Echo:
        return self._deliver(way.fields, text, lambda body: way.read(body, text))

    def _deliver(self, fields: Mapping[str, Any], text: str, read: Callable[[Any], Any]) -> Any:
        body = {} if self._model is None else {"model": self._model}
        try:
            return self._courier.deliver(OPERATION, {**body, "prompt": text, **fields}, read, len(text) // CHARACTERS)
        except EndpointError as error:
            raise EndpointError(f"{error} {NOT_THERE}") if error.status in NOWHERE else error from None


def _n_shared(first: Sequence[str], second: Sequence[str]) -> int:
    """How many tokens both begin with."""
    pairs = zip(first, second, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))
