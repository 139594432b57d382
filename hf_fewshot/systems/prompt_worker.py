"""Asks a language model for the queries of episodes, some at a time."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.part import Part
from hf_fewshot.in_context.backend import Backend
from hf_fewshot.in_context.requests import Requests
from hf_fewshot.systems.engine import Outcome, Worker
from hf_fewshot.systems.system import Setup


class PromptWorker(Worker):
    """Deals out the parts of `Requests`; `asked` is all that answers depend on beside episodes and backend."""

    bar = ("in context", "query")
    interrupted_by = (EndpointError,)

    def __init__(
        self, requests: Requests, backend: Backend, episodes: EpisodeSet, asked: dict[str, Any], setup: Setup
    ) -> None:
        self.requests = requests
        self.backend = backend
        self.episodes = episodes
        self.asked = asked
        self.accelerator = setup.accelerator
        self.progress = setup.progress

    def parts(self) -> Iterable[Part]:
        return self.requests.parts()

    def identity(self) -> dict[str, Any]:
        found = {"episodes": self.episodes.fingerprint, "n_episodes": len(self.episodes), **self.asked}
        found |= {**self.backend.describe(), "unit": self.backend.queries_per_request}
        return found | self.requests.drawn

    def begin(self, todo: Sequence[Part]) -> None:
        if todo:
            self.requests.demonstrations.prepare(self.accelerator, self.progress)
        self.backend.prepare(self.accelerator.device)

    def size(self, part: Part) -> int:
        return len(part.queries)

    def conditions(self) -> AbstractContextManager[Any]:
        return self.accelerator.autocast()

    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        return ([row] for row in self.requests.rows([part for batch in batches for part in batch]))

    def is_final(self, row: dict[str, Any]) -> bool:
        # What an endpoint failed to answer is asked for again next time.
        return all(answer["problem"] != "failed" for answer in row["answers"])


def unanswered(outcome: Outcome) -> str | None:
    """In words, how many queries an endpoint failed to answer; nothing if each was answered or refused."""
    answers = list(outcome.answers)
    failed = [answer for answer in answers if answer["problem"] == "failed"]
    if not failed:
        return None
    return f"{len(failed)} of {len(answers)} queries got no answer (last: {failed[-1]['reason']})."
