"""An OpenAI-compatible endpoint (vLLM, TGI, llama.cpp, Inference Providers) as the backend of in-context learning."""

import logging
import random
import threading
from typing import Any

import torch
from huggingface_hub.errors import HfHubHTTPError, HTTPError, OfflineModeIsEnabled

from hf_fewshot.episodes.options import require_whole
from hf_fewshot.files.option_types import check_types
from hf_fewshot.in_context.backend import Answer, Request
from hf_fewshot.in_context.bounded_client import BoundedClient
from hf_fewshot.in_context.endpoint_error import EndpointError
from hf_fewshot.text.address import Address
from hf_fewshot.text.redaction import redacted

__all__ = ["Endpoint", "EndpointError"]

logger = logging.getLogger(__name__)

# A body that is not what it should be shows as one of the last five.
UNUSABLE = (HTTPError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
# Asking again can help: too many requests, a server that starts, restarts or is overloaded.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
# About this one prompt: too long, or not allowed.
REFUSALS = frozenset({400, 413, 422})
LONGEST_WAIT = 60.0
MOST_REQUESTS = 1000
# No answer in the form asked for is so long; what is kept of one must stay small.
LONGEST_TEXT = 100_000
MOST_TOKENS = 10**9

# What servers that ask for no key are sent: without a token the client would send the saved Hugging Face token.
NO_TOKEN = "none"


class Endpoint:
    """Asks an endpoint for chat completions, several at a time; greedy, one line per answer.

    An answer that fails for passing reasons is asked for again, each time after twice the wait; `Retry-After` is
    respected. What fails for good is asked for again by the next run, and `predict` ends with an error. An
    endpoint that fails `max_failures` times in a row, or refuses the key or the model, is one at once.

    Args:
        url: such as `http://localhost:8000/v1`; None: Inference Providers. User and password in it are sent as a
            header and shown nowhere.
        model: the name of the model there.
        token: the key. Without one, Inference Providers get the saved Hugging Face token; an endpoint of another url
            never does.
        concurrency: how many requests at a time.
        timeout: seconds until an answer must be there, whole; after them a request counts as failed.
        max_retries: how often a failed request is sent again.
        wait: seconds before the first retry.
        max_failures: how many queries in a row may fail for good.
        prices: of a million prompt tokens and a million completion tokens.
    """

    scores_options = False
    queries_per_request = 1

    def __init__(
        self,
        url: str | None,
        model: str | None = None,
        *,
        token: str | None = None,
        concurrency: int = 8,
        timeout: float = 60.0,
        max_retries: int = 5,
        wait: float = 1.0,
        max_failures: int = 10,
        prices: tuple[float, float] | None = None,
    ) -> None:
        if url is None and model is None:
            raise ValueError("Give the url of an endpoint, the name of a model, or both.")
        options = {"timeout": timeout, "max_retries": max_retries, "wait": wait, "prices": prices}
        check_types(Endpoint, {"url": url, "model": model, **options}, "option of the endpoint")
        require_whole(concurrency=concurrency, max_failures=max_failures)
        if concurrency > MOST_REQUESTS:
            raise ValueError(f"concurrency={concurrency}, but at most {MOST_REQUESTS} requests are sent at a time.")
        if not timeout > 0 or not wait >= 0 or max_retries < 0:
            raise ValueError(f"timeout={timeout}, wait={wait}, max_retries={max_retries}: none may be negative or 0.")
        if prices is not None and min(prices) < 0:
            raise ValueError(f"prices={list(prices)}, but none may be negative.")
        if model is not None and model.startswith(("http://", "https://")):
            # The client would ask that server, and send it the saved Hugging Face token.
            raise ValueError(f"model={redacted(model)!r} is the URL of an endpoint. Give it as url.")
        self._address = None if url is None else Address.of(url, token)
        self.model = model
        self.concurrency = concurrency
        self.max_retries = max_retries
        self.wait = wait
        self.max_failures = max_failures
        self.prices = prices
        headers = {}
        if self._address is not None:
            token = token or NO_TOKEN
            if self._address.authorization is not None:
                headers["Authorization"] = self._address.authorization
        self._safe = (self._address or Address("", None, (token,) if token else ())).safe
        base_url = None if self._address is None else self._address.url
        self._client = BoundedClient(base_url=base_url, token=token, timeout=timeout, headers=headers)
        self._lock = threading.Lock()
        self._failures_in_a_row = 0
        self._given_up = threading.Event()

    def prepare(self, device: torch.device) -> None:
        """Forgets the failures of an earlier run."""
        self._failures_in_a_row = 0
        self._given_up.clear()

    def describe(self) -> dict[str, Any]:
        """The model's name: the same model elsewhere gives the same answers."""
        return {"model": self.model or (self._address and self._address.shown), "chat": True}

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """By the prices given."""
        if self.prices is None:
            return None
        return (prompt_tokens * self.prices[0] + completion_tokens * self.prices[1]) / 1e6

    def answer(self, request: Request) -> list[Answer]:
        """One answer per query, generated with all demonstrations."""
        kept = range(len(request.prompts.demonstrations))
        return [self._ask(request.prompts.messages(kept, query), request.max_new_tokens) for query in request.queries]

    def _ask(self, messages: list[dict[str, str]], max_tokens: int) -> Answer:
        problem = ""
        for attempt in range(self.max_retries + 1):
            if self._given_up.is_set():
                return Answer(problem="failed", reason="the run was given up")
            try:
                answer = self._complete(messages, max_tokens)
            except OfflineModeIsEnabled as error:
                raise self._end(f"is not asked: {self._safe(error)}") from None
            except HfHubHTTPError as error:
                status = error.response.status_code
                problem = f"status {status}: {self._safe(_said(error))}"
                if status in REFUSALS:
                    logger.warning(f"{self._name} refuses a prompt: {problem}")
                    self._count(failed=False)
                    return Answer(problem="refused", reason=problem)
                if status not in PASSING:
                    # Without its cause, which shows what the server said as it stands, keys too.
                    raise self._end(
                        f"answers with {problem}. Check its address, the model's name and the key."
                    ) from None
                self._pause(attempt, error.response.headers.get("Retry-After"))
            except UNUSABLE as error:
                problem = f"{type(error).__name__}: {self._safe(error)}"
                self._pause(attempt)
            else:
                self._count(failed=False)
                return answer
        self._count(failed=True, problem=problem)
        return Answer(problem="failed", reason=problem)

    def _complete(self, messages: list[dict[str, str]], max_tokens: int) -> Answer:
        # No stop string: a model may begin with an empty line, and only the first line with text is read.
        output: Any = self._client.chat_completion(
            messages,
            model=self.model,
            max_tokens=max_tokens,
            temperature=0.0,
        )
        choice = output.choices[0]
        text, ended = choice.message.content, choice.finish_reason
        if text is None and ended == "content_filter":
            return Answer(problem="refused", reason="the answer was withheld by a content filter")
        if text is None and ended == "length":
            text = ""  # all tokens went into reasoning: asked again, it would be the same
        if not isinstance(text, str):
            raise ValueError(f"an answer without text: {str(output)[:200]}")
        usage = output.usage
        return Answer(
            text[:LONGEST_TEXT],
            prompt_tokens=_whole(getattr(usage, "prompt_tokens", 0)),
            completion_tokens=_whole(getattr(usage, "completion_tokens", 0)),
        )

    def _pause(self, attempt: int, retry_after: str | None = None) -> None:
        if attempt == self.max_retries:
            return
        # Requests that failed together should not come back together.
        seconds = self.wait * 2 ** min(attempt, 16) * random.uniform(0.5, 1.5)
        if retry_after is not None and retry_after.strip().isdecimal():
            seconds = max(seconds, float(retry_after))
        self._given_up.wait(min(seconds, LONGEST_WAIT))

    def _count(self, failed: bool, problem: str = "") -> None:
        with self._lock:
            if self._given_up.is_set():
                return  # one thread has said why; what the others were about is asked for again by the next run
            self._failures_in_a_row = self._failures_in_a_row + 1 if failed else 0
            if self._failures_in_a_row >= self.max_failures:
                raise self._end(
                    f"failed {self._failures_in_a_row} times in a row, each time after {self.max_retries} retries, "
                    f"last with {problem}. Is it running?"
                )
        if failed:
            logger.warning(f"{self._name} gave no answer after {self.max_retries} retries: {problem}")

    def _end(self, reason: str) -> EndpointError:
        """The error that ends a run; requests under way in other threads give up too."""
        self._given_up.set()
        return EndpointError(f"{self._name} {reason}")

    @property
    def _name(self) -> str:
        return f"The model {self.model}" if self._address is None else f"The endpoint {self._address.shown}"


def _said(error: HfHubHTTPError) -> str:
    """What a server said, in one line and without the library's advice on what a status is."""
    lines = (line.strip() for line in str(error).splitlines())
    return " ".join(line for line in lines if line and not line.startswith("For more information check:"))


def _whole(value: Any) -> int:
    """A count of tokens; what is none counts nothing."""
    return value if type(value) is int and 0 < value < MOST_TOKENS else 0
