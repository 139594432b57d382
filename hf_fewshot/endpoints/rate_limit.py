"""How fast a server may be asked."""

import threading
import time
from collections.abc import Callable

MINUTE = 60.0


class RateLimit:
    """Lets requests through one after the other, so that no minute has more of them, or of their tokens, than allowed.

    How many tokens a request takes is known when it is answered: until then it is estimated.

    Args:
        requests: a minute; None: as many as there are.
        tokens: of prompts and answers, a minute; None: as many as there are.
        clock: seconds that pass.
    """

    def __init__(
        self, requests: float | None, tokens: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_request = MINUTE / requests if requests else 0.0
        self._per_token = MINUTE / tokens if tokens else 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._requests_from = self._tokens_from = self._held_until = float("-inf")

    def reserve(self, tokens: int) -> float:
        """The seconds that a request of so many tokens has to wait from now on."""
        with self._lock:
            now = self._clock()
            start = max(now, self._requests_from, self._tokens_from, self._held_until)
            self._requests_from = start + self._per_request
            self._tokens_from = start + tokens * self._per_token
            return start - now

    def correct(self, tokens: int) -> None:
        """That a request took so many tokens more than was estimated; fewer, if negative."""
        with self._lock:
            self._tokens_from += tokens * self._per_token

    def hold(self, seconds: float) -> None:
        """Lets nobody through for some time: the server asked for it."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)
