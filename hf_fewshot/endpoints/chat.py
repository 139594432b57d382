"""Chat completions: a query after its demonstrations as a conversation, and what is answered."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hf_fewshot.endpoints.completion import Choice, Completion
from hf_fewshot.endpoints.courier import Courier
from hf_fewshot.endpoints.dialect import Body, Dialect
from hf_fewshot.endpoints.structured import conforms, response_format, shown, unwrapped
from hf_fewshot.endpoints.thinking import Thinking
from hf_fewshot.endpoints.usage import Usage
from hf_fewshot.in_context.backend import Answer
from hf_fewshot.in_context.sampling import Sampling
from hf_fewshot.in_context.thoughts import split_thoughts

logger = logging.getLogger(__name__)

OPERATION = "/chat/completions"
FORMAT = "response_format"
WITHHELD = "the answer was withheld by a content filter"
# A token of English has about so many characters.
CHARACTERS = 4


class Chat:
    """Asks a server for chat completions.

    Args:
        model: its name there; None: the server has one.
    """

    def __init__(self, courier: Courier, model: str | None, thinking: Thinking) -> None:
        self._courier = courier
        self._model = model
        self._thinking = thinking
        self._dialect = Dialect(courier, tuple(thinking.sent))
        self._other_model: str | None = None

    def begin(self) -> None:
        """Before the first request of a run."""
        self._dialect.begin()
        self._other_model = None

    def answer(
        self,
        messages: Sequence[Mapping[str, str]],
        max_tokens: int,
        sampling: Sampling,
        schema: Mapping[str, Any] | None,
    ) -> Answer:
        """The answer to the last message; where several are drawn, in as few requests as the server allows."""
        if schema is not None and not self._dialect.takes(FORMAT):
            schema = None
        body: dict[str, Any] = {} if self._model is None else {"model": self._model}
        # No stop string: a model may begin with an empty line, and only the first line with text is read.
        turns = list(messages) if schema is None else shown(messages, schema)
        body |= {"messages": turns, "temperature": sampling.temperature}
        body |= {"max_tokens": max_tokens + (self._thinking.reasoning_budget or 0), **self._thinking.sent}
        if schema is not None:
            body[FORMAT] = response_format(schema)
        choices: list[Choice] = []
        usage = Usage()
        while len(choices) < sampling.samples:
            completion = self._dialect.ask(body | _drawn(sampling, len(choices)), self._send)
            choices += completion.choices[: sampling.samples - len(choices)]
            usage = usage.plus(completion.usage)
        if turns != list(messages) and not self._dialect.takes(FORMAT):
            # The server has just refused the schema: what was shown in its form is asked in that of the task.
            again = self.answer(messages, max_tokens, sampling, None)
            both = usage.plus(Usage(again.prompt_tokens, again.completion_tokens, again.reasoning_tokens))
            return replace(again, **both._asdict())
        return _answer(choices, usage, sampling.samples > 1, schema)

    def _send(self, body: Body) -> Completion:
        size = sum(len(message["content"]) for message in body["messages"]) // CHARACTERS
        answers = body.get("n", 1) * body.get("max_tokens", body.get("max_completion_tokens", 0))
        completion = self._courier.deliver(OPERATION, body, Completion.read, size + answers)
        self._compare(completion.model)
        return completion

    def _compare(self, answered: str | None) -> None:
        """Says once that another model answers: some servers have one, and do not mind what they are asked for."""
        if self._model is None or answered is None or answered == self._other_model:
            return
        ours, theirs = (name.rpartition("/")[2].partition(":")[0].casefold() for name in (self._model, answered))
        # A server may answer by the version of a model that a name stands for, or by the file it has loaded.
        if ours in theirs or theirs in ours:
            return
        self._other_model = answered
        logger.warning(
            f"{self._courier.name} was asked for {self._model!r}, but answers as {self._courier.safe(answered)!r}. If "
            "that is another model, give its name: the record has the one that was asked for."
        )


def _drawn(sampling: Sampling, so_far: int) -> dict[str, Any]:
    """How the next answers are drawn; greedy ones need no seed."""
    if sampling.temperature == 0:
        return {}
    missing = sampling.samples - so_far
    return {"seed": sampling.seed + so_far} | ({"n": missing} if missing > 1 else {})


def _answer(choices: Sequence[Choice], usage: Usage, several: bool, schema: Mapping[str, Any] | None) -> Answer:
    given = [choice for choice in choices if choice.text is not None]
    tokens = usage._asdict()
    if not given:
        return Answer(problem="refused", reason=WITHHELD, **tokens)
    thoughts = [choice.thought for choice in given if choice.thought]
    texts, held = [], []
    for choice in given:
        text = choice.text or ""
        parts = split_thoughts(text)
        words = unwrapped(parts.answer) if schema is not None else None
        if words is not None and parts.thought:
            thoughts.append(parts.thought)
        texts.append(text if words is None else words)
        held.append(schema is not None and conforms(parts.answer, schema))
    return Answer(
        texts[0],
        samples=texts if several else None,
        thought="\n\n".join(thoughts) or None,
        cut_off=given[0].cut_off,
        structured=held[0],
        **tokens,
    )
