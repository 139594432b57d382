"""Brings requests to a server, and its answers back, as often as it takes."""

import logging
import random
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

from hf_fewshot.endpoints.client import Client, Reply
from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.rate_limit import RateLimit
from hf_fewshot.endpoints.said import code, message, parsed
from hf_fewshot.endpoints.usage import Usage

logger = logging.getLogger(__name__)

T = TypeVar("T")

# A body that is not what it should be shows as one of the last five.
UNUSABLE = (httpx.HTTPError, httpx.InvalidURL, ValueError, TypeError, LookupError, AttributeError, RecursionError)
# Asking again can help: too many requests, a server that starts, restarts or is overloaded.
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# About this one prompt: too long, or not allowed.
REFUSALS = frozenset({400, 413, 422})
# What to do about the others, which end a run.
REMEDIES = {
    401: "The key is wrong, or there is none. Give the name of the environment variable that holds it: token_env=NAME",
    402: "Nothing is left to pay with. Add credit there, or take another server",
    403: "The key may not use this model. Ask for access to it, or give another key or model",
    404: "Check the address, which often ends in /v1, and the model's name",
}
OTHER_REMEDY = "Check its address, the model's name and the key"
# A quota that is used up comes as too many requests, but waiting does not help.
USED_UP = "insufficient_quota"
LONGEST_WAIT = 60.0
# If a server asks for more patience than that, it is better to come back later.
LONGEST_HOLD = 600.0


class RefusedError(Exception):
    """The server does not take this request; asked again, it would not either."""


class FailedError(Exception):
    """There was no answer, for passing reasons; the next run asks again."""


class Courier:
    """Sends requests to one server, from several threads.

    A request that fails for passing reasons is sent again, each time after twice the wait; a server that says how long
    to wait is not asked by anybody before. One that fails `max_failures` requests in a row, refuses as many and
    answers none, or refuses the key or the model, ends the run: an `EndpointError` in one thread, and the requests of
    the others are given up.

    Args:
        name: the server, for messages.
        safe: takes secrets out of a text.
        wait: seconds before the first retry.
    """

    def __init__(
        self,
        client: Client,
        limit: RateLimit,
        *,
        name: str,
        safe: Callable[[object], str],
        max_retries: int,
        max_failures: int,
        wait: float,
    ) -> None:
        self.name = name
        self._client = client
        self._limit = limit
        self.safe = safe
        self._max_retries = max_retries
        self._max_failures = max_failures
        self._wait = wait
        self._lock = threading.Lock()
        self._failures_in_a_row = 0
        self._refusals = 0
        self._has_answered = False
        self._given_up = threading.Event()

    def begin(self) -> None:
        """Forgets the failures of an earlier run."""
        self._failures_in_a_row = self._refusals = 0
        self._has_answered = False
        self._given_up.clear()

    def deliver(self, operation: str, body: Mapping[str, Any], read: Callable[[Any], T], tokens: int) -> T:
        """What `read` makes of the answer to a request.

        Args:
            operation: such as `/chat/completions`.
            read: raises ValueError, TypeError, LookupError or AttributeError for what is no answer.
            tokens: about so many does the request take.
        """
        problem = ""
        for attempt in range(self._max_retries + 1):
            self._given_up.wait(self._limit.reserve(tokens))
            if self._given_up.is_set():
                raise FailedError("the run was given up")
            try:
                reply = self._client.post(operation, body)
                if 200 <= reply.status < 300:
                    answer = parsed(reply.body)
                    found = read(answer)
                    self._limit.correct(sum(Usage.of(answer)[:2]) - tokens)
                    self.count(failed=False)
                    self._has_answered = True
                    return found
                problem = self._problem(reply)
            except UNUSABLE as error:
                problem = f"{type(error).__name__}: {self.safe(error)}"
            if attempt < self._max_retries:
                # Requests that failed together should not come back together.
                seconds = self._wait * 2 ** min(attempt, 16) * random.uniform(0.5, 1.5)
                self._given_up.wait(min(seconds, LONGEST_WAIT))
        self.count(failed=True, problem=problem)
        raise FailedError(problem)

    def end(self, reason: str) -> EndpointError:
        """The error that ends a run; requests under way in other threads are given up."""
        self._given_up.set()
        return EndpointError(f"{self.name} {reason}")

    def count(self, failed: bool, problem: str = "") -> None:
        """Ends the run after too many failures in a row."""
        with self._lock:
            if self._given_up.is_set():
                return  # one thread has said why; what the others were about is asked for again by the next run
            self._failures_in_a_row = self._failures_in_a_row + 1 if failed else 0
            if self._failures_in_a_row >= self._max_failures:
                raise self.end(
                    f"failed {self._failures_in_a_row} times in a row, each time after {self._max_retries} retries, "
                    f"last with {problem}. Is it running?"
                )
        if failed:
            logger.warning(f"{self.name} gave no answer after {self._max_retries} retries: {problem}")

    def count_refusal(self, refusal: RefusedError) -> None:
        """Ends the run if nothing but refusals comes: it is not about the prompts then."""
        logger.warning(f"{self.name} refuses a prompt: {refusal}")
        with self._lock:
            self._refusals += 1
            if self._refusals >= self._max_failures and not self._has_answered and not self._given_up.is_set():
                raise self.end(
                    f"refuses every prompt, {self._refusals} so far, the last with {refusal}. Check the model's name "
                    "and the options."
                )

    def _problem(self, reply: Reply) -> str:
        """What a passing problem is; what is none is an error."""
        status = reply.status
        problem = f"status {status}: {self.safe(message(reply.body))}"
        if status in REFUSALS:
            self.count(failed=False)
            raise RefusedError(problem)
        if status not in PASSING or code(reply.body) == USED_UP:
            remedy = REMEDIES[402] if status in PASSING else REMEDIES.get(status, OTHER_REMEDY)
            error = self.end(f"answers with {problem}. {remedy}.")
            error.status = status
            raise error
        seconds = _seconds(reply.headers.get("Retry-After"))
        if seconds > LONGEST_HOLD:
            raise self.end(f"answers with {problem}. It asks to wait for {seconds:,.0f} seconds: come back then.")
        self._limit.hold(seconds)
        return problem


def _seconds(retry_after: str | None) -> float:
    """How long a server asks to wait: it says so in seconds or as a date. 0: it says nothing that can be read."""
    given = (retry_after or "").strip()
    if given.isascii() and given.isdecimal():
        return float(given)
    try:
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0
