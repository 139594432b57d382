"""Labels by likelihood, from a server that says how likely text is."""

import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np

from hf_fewshot.endpoints.courier import Courier, RefusedError
from hf_fewshot.endpoints.dictation import Dictated
from hf_fewshot.endpoints.echo import Echoed, PromptLogprobs
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.option_logprobs import COMPLETIONS, OptionLogprobs, UnknownWayError, Way
from hf_fewshot.endpoints.usage import Usage
from hf_fewshot.in_context.backend import Answer, Request

WAYS: tuple[Way, ...] = (Echoed(), PromptLogprobs(), Dictated())
# How servers answer that have no such operation.
NOWHERE = (404, 405, 501)
NOT_THERE = "It is asked for the likelihood of labels, which few servers give: with labels=written it is not."
NO_LIKELIHOODS = (
    "says nothing of how likely a label is: its completions know neither echo with logprobs, nor prompt_logprobs, nor "
    "logit_bias with logprobs. Take labels=written, or a server that does (vLLM, SGLang, llama.cpp)."
)
CHARACTERS = 4
# Of queries without content, which are the same for all queries of an episode.
MOST_KEPT = 100


class Likelihoods:
    """How likely each option is after a query, as plain text, with the numbers of a model on this machine."""

    def __init__(self, courier: Courier, model: str | None) -> None:
        self._courier = courier
        self._model = model
        self._lock = threading.Lock()
        self._way: Way | None = None
        self._content_free: dict[str, np.ndarray] = {}

    def begin(self) -> None:
        """Before the first request of a run."""
        self._way = None
        self._content_free.clear()

    def answer(self, request: Request, query: str) -> Answer:
        """The calibrated log-probability of each option."""
        prefix = request.prompts.prefix(range(len(request.prompts.demonstrations)))
        values, usage = self._comparable(prefix + query, request)
        free = []
        for text in request.content_free:
            prompt = prefix + text
            key = "\0".join((prompt, *(request.options or ())))
            if key not in self._content_free:
                if len(self._content_free) >= MOST_KEPT:
                    self._content_free.clear()
                found, more = self._comparable(prompt, request)
                self._content_free[key] = found
                usage = usage.plus(more)
            free.append(self._content_free[key])
        return Answer(scores=request.calibration.correct(values, free).tolist(), **usage._asdict())

    def _comparable(self, prompt: str, request: Request) -> tuple[np.ndarray, Usage]:
        found = self._logprobs(prompt, [f" {word}" for word in request.options or ()])
        sums, lengths = [sum(own) for own in found.values], [len(own) for own in found.values]
        return request.calibration.comparable(sums, lengths), found.usage

    def _logprobs(self, prompt: str, options: list[str]) -> OptionLogprobs:
        # As long as it is not known how, one query after the other finds out.
        with self._lock if self._way is None else nullcontext():
            for way in WAYS if self._way is None else (self._way,):
                with suppress(UnknownWayError, RefusedError):
                    found = way.ask(self._send, prompt, options)
                    self._way = way
                    return found
        # It may be the prompt that is refused: then it is without these fields, too.
        self._send(COMPLETIONS, {"prompt": prompt, "max_tokens": 1}, lambda body: body["choices"][0]["text"])
        raise self._courier.end(NO_LIKELIHOODS)

    def _send(self, operation: str, fields: Mapping[str, Any], read: Callable[[Any], Any]) -> Any:
        body = dict(fields) if self._model is None else {"model": self._model, **fields}
        prompt = fields.get("prompt", "")
        tokens = len(prompt) // CHARACTERS if isinstance(prompt, str) else len(prompt)
        try:
            return self._courier.deliver(operation, body, read, tokens)
        except EndpointError as error:
            raise EndpointError(f"{error} {NOT_THERE}") if error.status in NOWHERE else error from None
