"""An OpenAI-compatible endpoint (vLLM, TGI, llama.cpp, Inference Providers) as the backend of in-context learning."""

from typing import Any

import torch

from hf_fewshot.endpoints.chat import Chat
from hf_fewshot.endpoints.client import Client
from hf_fewshot.endpoints.courier import Courier, FailedError, RefusedError
from hf_fewshot.endpoints.destination import Destination
from hf_fewshot.endpoints.likelihoods import Likelihoods
from hf_fewshot.endpoints.rate_limit import RateLimit
from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.endpoints.thinking import Thinking
from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.in_context.backend import Answer, Request


class Endpoint:
    """Asks an endpoint for answers, several at a time.

    A request that fails for passing reasons is sent again, each time after twice the wait; `Retry-After` is
    respected. What fails for good is asked for again by the next run, and `predict` ends with an error. An
    endpoint that fails `max_failures` times in a row, or refuses the key or the model, is one at once.

    Args:
        url: such as `http://localhost:8000/v1`; None: Inference Providers. User and password in it are sent as a
            header and shown nowhere.
        model: the name of the model there.
        token: the key; or name the environment variable that holds it, as `token_env`. Without one, Inference
            Providers get the saved Hugging Face token; an endpoint of another url never does.
        wait: seconds before the first retry.
        likelihoods: ask how likely each label is, after plain text, instead of having it written in a conversation;
            for servers that say how likely text is (vLLM, SGLang, llama.cpp).
        options: see `Reach` and `Thinking`, such as `concurrency=16`, `prices=(0.5, 1.5)`, `reasoning_effort="low"`.
    """

    queries_per_request = 1

    def __init__(
        self,
        url: str | None,
        model: str | None = None,
        *,
        token: str | None = None,
        wait: float = 1.0,
        likelihoods: bool = False,
        **options: Any,
    ) -> None:
        if url is None and model is None:
            raise ValueError("Give the url of an endpoint, the name of a model, or both.")
        check_types(
            Endpoint, {"url": url, "model": model, "wait": wait, "likelihoods": likelihoods}, "option of the endpoint"
        )
        check_types({**option_types(Reach), **option_types(Thinking)}, options, "option of the endpoint")
        if not wait >= 0:
            raise ValueError(f"wait={wait}, but it must not be negative.")
        of_thinking = {name: options.pop(name) for name in option_types(Thinking) if name in options}
        self.reach = Reach(endpoint=url, **options)
        self.thinking = Thinking(**of_thinking)
        self.model = model
        self.scores_options = likelihoods
        self.concurrency = self.reach.concurrency
        self.destination = Destination.of(self.reach, model, token)
        self._courier = Courier(
            Client(self.destination.address.url, self.destination.headers, self.reach.timeout, self.reach.concurrency),
            RateLimit(self.reach.requests_per_minute, self.reach.tokens_per_minute),
            name=self.destination.name,
            safe=self.destination.address.safe,
            max_retries=self.reach.max_retries,
            max_failures=self.reach.max_failures,
            wait=wait,
        )
        self._chat = Chat(self._courier, self.destination.model, self.thinking)
        self._likelihoods = Likelihoods(self._courier, self.destination.model)

    def prepare(self, device: torch.device) -> None:
        """Forgets what an earlier run found out."""
        self.destination.require_reachable()
        self._courier.begin()
        self._chat.begin()
        self._likelihoods.begin()

    def describe(self) -> dict[str, Any]:
        """The model's name: the same model elsewhere gives the same answers."""
        model = self.model or self.destination.address.shown
        return {"model": model, "chat": not self.scores_options, **self.thinking.thinking}

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """By the prices given."""
        prices = self.reach.prices
        if prices is None:
            return None
        return (prompt_tokens * prices[0] + completion_tokens * prices[1]) / 1e6

    def answer(self, request: Request) -> list[Answer]:
        """One answer per query, with all demonstrations."""
        return [self._answer(request, query) for query in request.queries]

    def _answer(self, request: Request, query: str) -> Answer:
        kept = range(len(request.prompts.demonstrations))
        try:
            if request.options is not None:
                return self._likelihoods.answer(request, query)
            return self._chat.answer(
                request.prompts.messages(kept, query), request.max_new_tokens, request.sampling, request.schema
            )
        except RefusedError as refusal:
            self._courier.count_refusal(refusal)
            return Answer(problem="refused", reason=str(refusal))
        except FailedError as failure:
            return Answer(problem="failed", reason=str(failure))
