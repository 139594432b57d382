"""A learner that is asked by requests: what each path answers."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from hf_fewshot.runs.environment import versions
from hf_fewshot.service.jobs import Addition, Prediction
from hf_fewshot.service.learner import Learner
from hf_fewshot.service.limits import Limits
from hf_fewshot.service.measures import CONTENT_TYPE, Measures
from hf_fewshot.service.schemas import ExamplesRequest, PredictRequest
from hf_fewshot.service.waiting import done
from hf_fewshot.service.worker import Worker
from hf_fewshot.text.short_value import short
from hf_fewshot.web.refusal import Refusal


class Service:
    """A learner with its worker, its limits and its counts.

    Args:
        learner: a fitted learner.
        name: of the model, as clients see it.
        limits: of requests.
        allow_examples: whether clients may add examples.
    """

    def __init__(
        self, learner: Learner, name: str, *, limits: Limits | None = None, allow_examples: bool = False
    ) -> None:
        self.learner = learner
        self.name = name
        self.limits = limits or Limits()
        self.allow_examples = allow_examples
        self.measures = Measures()
        self.worker = Worker(learner, self.limits, self.measures)

    async def predict(self, request: Request, asked: PredictRequest) -> Response:
        """Answers queries. Those of requests that come at the same time are computed together."""
        if asked.nearest > self.limits.nearest:
            remedy = "Ask for fewer."
            raise Refusal(422, f"nearest: at most {self.limits.nearest}", str(asked.nearest), remedy)
        characters = self._checked_size("inputs", asked.queries)
        for number, query in enumerate(asked.queries):
            try:
                self.learner.check(query)
            except ValueError as error:
                expected = f"inputs.{number}: a query of the task {self.learner.task.name!r}"
                raise Refusal(422, expected, short(query), str(error)) from None
        job = Prediction(asked.queries, asked.nearest, characters)
        return JSONResponse({"answers": await done(self.worker, job, request)})

    async def add_examples(self, request: Request, asked: ExamplesRequest) -> Response:
        """Adds labelled examples to the model in memory, between predictions; what is saved stays as it is."""
        if not self.allow_examples:
            remedy = "Start the service with --allow-examples."
            raise Refusal(403, "a service that takes examples", "one that does not", remedy)
        self._checked_size("examples", asked.examples)
        try:
            classes = await done(self.worker, Addition(asked.examples), request)
        except ValueError as error:
            expected = f"examples of the task {self.learner.task.name!r}"
            raise Refusal(422, expected, short(asked.examples), str(error)) from None
        return JSONResponse({"added": len(asked.examples), "classes": classes})

    async def health(self) -> Response:
        """Whether requests are answered."""
        ready = self.worker.is_ready
        return JSONResponse({"status": "ready" if ready else "ending"}, 200 if ready else 503)

    async def model(self) -> Response:
        """What is served."""
        return JSONResponse(
            {
                "model": self.name,
                "task": self.learner.task.name,
                "classes": list(self.learner.classes),
                "columns": list(self.learner.task.columns),
                "examples_added": self.measures.examples,
                "allows_examples": self.allow_examples,
                "limits": dataclasses.asdict(self.limits),
                "versions": versions(),
            }
        )

    async def metrics(self) -> Response:
        """Counts of requests, queries and batches, times and what waits, as Prometheus reads them."""
        return PlainTextResponse(self.measures.text(*self.worker.waiting), media_type=CONTENT_TYPE)

    def _checked_size(self, field: str, values: Sequence[Any]) -> int:
        """The characters of queries or examples, which must be few enough and short enough."""
        if len(values) > self.limits.texts:
            expected = f"{field}: at most {self.limits.texts:,} in a request"
            raise Refusal(413, expected, f"{len(values):,}", "Divide them among several requests.")
        sizes = [_characters(value) for value in values]
        if max(sizes) > self.limits.characters:
            expected = f"{field}.{sizes.index(max(sizes))}: at most {self.limits.characters:,} characters"
            raise Refusal(413, expected, f"{max(sizes):,}", "Cut it into parts.")
        return sum(sizes)


def _characters(value: Any) -> int:
    """Of all texts in a value of JSON; any other value counts as one, so that lists of them are bounded too."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _characters(one) for key, one in value.items())
    return sum(map(_characters, value)) if isinstance(value, list) else 1
