"""How a model behind an endpoint is reached; what it answers does not depend on it."""

from dataclasses import dataclass, fields
from typing import Any

from hf_fewshot.endpoints.key import check_name
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.text.address import Address

MOST_REQUESTS = 1000


@dataclass(frozen=True)
class Reach:
    """Where a language model is, and how it is asked there.

    Args:
        endpoint: address of an OpenAI-style endpoint, such as http://localhost:8000/v1; none: the model runs here.
        provider: of Hugging Face's Inference Providers, instead of an endpoint: its name, or "auto".
        token_env: of an endpoint: the name of the environment variable that holds the key; none: no key, and to
            Inference Providers the saved Hugging Face token.
        concurrency: of an endpoint: requests at a time.
        timeout: of an endpoint: seconds until an answer must be there, whole.
        max_retries: of an endpoint: how often a failed request is sent again.
        max_failures: of an endpoint: how many queries in a row may fail for good.
        prices: of an endpoint: of a million prompt tokens and a million completion tokens.
        requests_per_minute: of an endpoint: the most it is asked; none: as fast as it answers.
        tokens_per_minute: of an endpoint: the most tokens, of prompts and answers; none: as fast as it answers.
    """

    endpoint: str | None = None
    provider: str | None = None
    token_env: str | None = None
    concurrency: int = 8
    timeout: float = 60.0
    max_retries: int = 5
    max_failures: int = 10
    prices: tuple[float, float] | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def __post_init__(self) -> None:
        require_whole(concurrency=self.concurrency, max_failures=self.max_failures)
        if self.concurrency > MOST_REQUESTS:
            raise ValueError(
                f"concurrency={self.concurrency}, but at most {MOST_REQUESTS} requests are sent at a time."
            )
        if not self.timeout > 0 or self.max_retries < 0:
            raise ValueError(
                f"timeout={self.timeout}, max_retries={self.max_retries}: the first must be above 0, the second at "
                "least 0."
            )
        if self.prices is not None and min(self.prices) < 0:
            raise ValueError(f"prices={list(self.prices)}, but none may be negative.")
        for name in ("requests_per_minute", "tokens_per_minute"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise ValueError(f"{name}={limit}, but it must be above 0. Leave it out for no limit.")
        if self.endpoint is not None and self.provider is not None:
            raise ValueError("Both endpoint and provider are given, but a model is asked in one place. Give one.")
        if self.token_env is not None:
            check_name(self.token_env)
        if self.endpoint is not None:
            Address.of(self.endpoint)

    @property
    def is_remote(self) -> bool:
        """Whether the model is behind an endpoint."""
        return self.endpoint is not None or self.provider is not None

    @property
    def reach(self) -> dict[str, Any]:
        """These options alone."""
        return {one.name: getattr(self, one.name) for one in fields(Reach)}

    def refuse_of_endpoint(self, *kinds: type) -> None:
        """Refuses the options of an endpoint where there is none: those of this class and of others."""
        if self.is_remote:
            return
        for one in (own for kind in (Reach, *kinds) for own in fields(kind)):
            value = getattr(self, one.name)
            if value != one.default:
                raise ValueError(f"{one.name}={value!r} is of an endpoint, but there is none. Give endpoint=URL.")
