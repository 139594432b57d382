"""What is asked of a language model, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.prompts import Prompts
from hf_fewshot.in_context.sampling import Sampling


@dataclass(frozen=True)
class Request:
    """Queries that are answered together: after the same demonstrations.

    `options` are the words of the labels, one of which is the answer; None: the answer is a line of free text.
    `content_free` are queries without content, which a calibration compares with. `schema` is the JSON schema of an
    answer, for backends that can hold a model to one; such an answer is read like any other.
    """

    prompts: Prompts
    queries: tuple[str, ...]
    options: tuple[str, ...] | None
    max_new_tokens: int
    calibration: Calibration = field(default_factory=Calibration)
    content_free: tuple[str, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    schema: Mapping[str, Any] | None = None


@dataclass
class Answer:
    """The answer to one query.

    Either `text` or `scores` is given: a calibrated log-probability per option. `problem` says why there is neither:
    "too_long" (the query alone does not fit), "refused" or "failed" (by an endpoint, with the `reason` it gave).
    `samples` are all drawn answers where several were asked for; `text` is the first of them. Tokens are those of all.
    A text may still hold what a model thought before it answered; `thought` is thinking that came apart from it, and
    `cut_off` says that the text was not finished.
    """

    text: str | None = None
    samples: list[str] | None = None
    thought: str | None = None
    cut_off: bool = False
    structured: bool = False
    scores: list[float] | None = None
    problem: str | None = None
    dropped: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
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
