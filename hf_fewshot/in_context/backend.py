"""What is asked of a language model, and what it answers."""

from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.prompts import Prompts


@dataclass(frozen=True)
class Request:
    """Queries that are answered together: after the same demonstrations.

    `options` are the words of the labels, one of which is the answer; None: the answer is a line of free text.
    `content_free` are queries without content, which a calibration compares with.
    """

    prompts: Prompts
    queries: tuple[str, ...]
    options: tuple[str, ...] | None
    max_new_tokens: int
    calibration: Calibration = field(default_factory=Calibration)
    content_free: tuple[str, ...] = ()


@dataclass
class Answer:
    """The answer to one query.

    Either `text` or `scores` is given: a calibrated log-probability per option. `problem` says why there is neither:
    "too_long" (the query alone does not fit), "refused" or "failed" (by an endpoint, with the `reason` it gave).
    """

    text: str | None = None
    scores: list[float] | None = None
    problem: str | None = None
    dropped: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reason: str | None = None


class Backend(Protocol):
    """A language model: on this machine, or behind an endpoint."""

    # Whether it can say how likely an option is; otherwise answers are generated and parsed.
    scores_options: bool
    # How many requests at a time, with how many queries each.
    concurrency: int
    queries_per_request: int

    def prepare(self, device: torch.device) -> None:
        """Called once before the first request."""

    def describe(self) -> dict[str, Any]:
        """All that answers depend on; answers on disk are used again only if it is the same."""

    def answer(self, request: Request) -> list[Answer]:
        """One answer per query."""

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """The price of these tokens; None: not known."""
