"""What a server takes of a request: found out with the first one, and remembered for the run."""

import logging
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from hf_fewshot.endpoints.courier import Courier, RefusedError

logger = logging.getLogger(__name__)

T = TypeVar("T")
Body = Mapping[str, Any]

# Left out if a server does not take them: answers are then free text, asked for one by one, or drawn anew each time.
OPTIONAL = ("response_format", "n", "seed")
# Left out or renamed only if the server says that it is about them.
IF_NAMED = ("max_tokens", "temperature")
# What servers for reasoning models call the number of tokens.
RENAMED = {"max_tokens": "max_completion_tokens"}


class Dialect:
    """Asks a server in the way it understands.

    A request that is refused is sent again without what the server may not know. If that helps it is asked so from
    then on; if not, it was the prompt that is refused. What the user asked for by name is never left out: then it is
    an error.

    Args:
        required: fields of a request that must be taken.
    """

    def __init__(self, courier: Courier, required: tuple[str, ...] = ()) -> None:
        self._courier = courier
        self._required = required
        self._lock = threading.Lock()
        self._taken: set[str] = set()
        self._not_taken: set[str] = set()

    def begin(self) -> None:
        """Forgets what was found out: it may be another server now."""
        self._taken.clear()
        self._not_taken.clear()

    def takes(self, name: str) -> bool:
        """Whether a field is sent, as far as is known."""
        return name not in self._not_taken

    def ask(self, body: Body, send: Callable[[Body], T]) -> T:
        """What `send` returns for this request, or for one as near to it as the server takes."""
        body = self._without(body, self._not_taken)
        # As long as it is not known, one request after the other finds out.
        with self._settling(body):
            body = self._without(body, self._not_taken)
            try:
                found = send(body)
            except RefusedError as refusal:
                return self._ask_otherwise(body, send, refusal)
            self._taken.update(body)
            return found

    def _settling(self, body: Body) -> AbstractContextManager[Any]:
        asked = {*OPTIONAL, *self._required} & body.keys()
        return self._lock if asked - self._taken else nullcontext()

    def _ask_otherwise(self, body: Body, send: Callable[[Body], T], refusal: RefusedError) -> T:
        named = [name for name in (*OPTIONAL, *IF_NAMED, *self._required) if _names(str(refusal), name)]
        others = [*OPTIONAL, *self._required]
        unsure = [name for name in dict.fromkeys((*named, *others)) if name in body and name not in self._taken]
        if body.get("temperature") and "temperature" in unsure:
            unsure.remove("temperature")  # answers would be drawn in another way than was asked for
        attempts = [{name} for name in unsure] + ([set(unsure)] if len(unsure) > 1 else [])
        for left_out in attempts:
            changed = self._without(body, left_out)
            try:
                found = send(changed)
            except RefusedError:
                continue
            self._learn(left_out, body, refusal)
            self._taken.update(changed)
            return found
        raise refusal

    def _learn(self, left_out: set[str], body: Body, refusal: RefusedError) -> None:
        wanted = sorted(left_out.intersection(self._required))
        if wanted:
            given = ", ".join(f"{name}={body[name]!r}" for name in wanted)
            raise self._courier.end(f"does not take {given} ({refusal}). Leave it out, or take another server.")
        self._not_taken |= left_out
        logger.warning(f"{self._courier.name} is asked without {', '.join(sorted(left_out))}, as it says: {refusal}")

    @staticmethod
    def _without(body: Body, names: set[str]) -> Body:
        kept = {name: value for name, value in body.items() if name not in names}
        return kept | {RENAMED[name]: body[name] for name in names if name in RENAMED and name in body}


def _names(text: str, field: str) -> bool:
    return re.search(rf"\b{field}\b", text) is not None and (field != "n" or bool(re.search(r"['\"`]n['\"`]", text)))
