"""A causal language model of `transformers` as the backend of in-context learning."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, Self

import torch
from transformers import (
    MODEL_FOR_MASKED_LM_MAPPING,
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from hf_fewshot.embedded import model_place
from hf_fewshot.encoding.vectors import hash_weights, tokenizer_state
from hf_fewshot.in_context.backend import Answer, Request
from hf_fewshot.in_context.drawing import Drawing
from hf_fewshot.in_context.full_prompts import FullPrompts
from hf_fewshot.in_context.prompt_tokens import PromptTokens
from hf_fewshot.in_context.prompts import Prompts
from hf_fewshot.in_context.shared_prefix import SharedPrefix, can_share
from hf_fewshot.in_context.thoughts import split_thoughts
from hf_fewshot.models.kept import last_read
from hf_fewshot.models.loading import load_model

logger = logging.getLogger(__name__)

# More tokens than a demonstration can lose by standing beside others, begin-of-sequence tokens among them.
MERGED = 8
# As many tokens at the end of a prompt show whether it opens thoughts.
OPENING = 8


@dataclass(frozen=True)
class Fitted:
    """Queries that are shown the same demonstrations, and after them the content-free ones, which always are.

    `numbers` are the places of the queries in the request.
    """

    kept: list[int]
    prefix: list[int]
    numbers: list[int]
    queries: list[list[int]]
    options: list[list[list[int]]]


class CausalLM:
    """Answers queries with a model on this machine; the prefix of all prompts is computed once.

    Args:
        chat: write prompts by the tokenizer's chat template: demonstrations are earlier turns.
        max_length: the most tokens of prompt and answer together; default: what the model was made for.
        share_prefix: compute the demonstrations once for all queries and options. Models that cannot (sliding windows,
            recurrent layers, ALiBi) compute each prompt from its beginning, which gives the same answers.
    """

    scores_options = True
    concurrency = 1
    queries_per_request = 64

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        chat: bool = False,
        max_length: int | None = None,
        share_prefix: bool = True,
    ) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.chat = chat
        limit = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        if max_length is None and limit is None:
            raise ValueError(f"{type(model).__name__} does not say how long a prompt may be. Give max_length.")
        if max_length is not None and (max_length < 1 or max_length > (limit or max_length)):
            raise ValueError(f"max_length={max_length}, but it must be from 1 to {limit}, the model's own limit.")
        self.max_length: int = max_length or limit or 0
        self.share_prefix = share_prefix
        ends = model.generation_config.eos_token_id if model.generation_config is not None else None
        self._ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])} - {None}
        self._tokens = PromptTokens(tokenizer, chat=chat)
        self._engine: SharedPrefix | FullPrompts | None = None

    @classmethod
    def from_pretrained(cls, name: str | Path, **options: Any) -> Self:
        """A model and its tokenizer by name, Hub id or folder: float32 on a CPU, else as it was saved."""
        return cls(*_read(name), **options)

    @classmethod
    def shared(cls, name: str | Path, **options: Any) -> Self:
        """The same with the model that others of this process may have as well, for who never changes its weights."""
        return cls(*last_read.get(name, "causal", lambda: _read(name)), **options)

    def prepare(self, device: torch.device) -> None:
        """Moves the model, unless it is spread over several devices, and finds out whether it can share a prefix."""
        if getattr(self.model, "hf_device_map", None) is None:
            self.model.to(device)
        if self.share_prefix and can_share(self.model):
            self._engine = SharedPrefix(self.model)
            return
        if self.share_prefix:
            logger.warning(f"{type(self.model).__name__} cannot share a prefix: each prompt is computed in full.")
        padding = self.tokenizer.pad_token_id
        self._engine = FullPrompts(self.model, min(self._ends, default=0) if padding is None else padding)

    def describe(self) -> dict[str, Any]:
        """A hash over weights and tokenizer, and the options that change prompts."""
        digest = hashlib.sha256()
        hash_weights(digest, self.model)
        digest.update(tokenizer_state(self.tokenizer))
        if self.chat:
            digest.update(str(self.tokenizer.chat_template).encode())
        return {"model": digest.hexdigest(), "chat": self.chat, "max_length": self.max_length}

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Tokens on this machine have no price."""
        return None

    def answer(self, request: Request) -> list[Answer]:
        """One answer per query: the scores of the options, or a line of text."""
        if self._engine is None:
            self.prepare(self.model.device)
        assert self._engine is not None
        answers = [Answer(problem="too_long") for _ in request.queries]
        for fitted in self._fit(request):
            found = self._scored(request, fitted) if request.options is not None else self._written(request, fitted)
            for number, query, answer in zip(fitted.numbers, fitted.queries, found, strict=False):
                answer.dropped = len(request.prompts.demonstrations) - len(fitted.kept)
                answer.prompt_tokens = len(fitted.prefix) + len(query)
                answers[number] = answer
        return answers

    def _scored(self, request: Request, fitted: Fitted) -> list[Answer]:
        assert self._engine is not None
        scores = self._engine.score(fitted.prefix, fitted.queries, fitted.options)
        values = [
            request.calibration.comparable(own, [len(option) for option in words])
            for own, words in zip(scores, fitted.options, strict=True)
        ]
        n = len(fitted.numbers)
        return [Answer(scores=request.calibration.correct(own, values[n:]).tolist()) for own in values[:n]]

    def _written(self, request: Request, fitted: Fitted) -> list[Answer]:
        assert self._engine is not None
        n = request.sampling.samples
        queries = [query for query in fitted.queries for _ in range(n)]
        drawing = Drawing(request.sampling, [[*fitted.prefix, *query] for query in queries])
        # Some chat templates open the thoughts of a reasoning model themselves.
        opening = str(self.tokenizer.decode(fitted.queries[0][-OPENING:]))
        begun = opening if self.chat and split_thoughts(opening).unfinished else ""
        lines = self._engine.generate(fitted.prefix, queries, request.max_new_tokens, self._ended, drawing)
        texts = [begun + str(self.tokenizer.decode(tokens, skip_special_tokens=True)) for tokens in lines]
        return [
            Answer(
                texts[first],
                samples=texts[first : first + n] if n > 1 else None,
                cut_off=not self._ended(lines[first]),
                completion_tokens=sum(map(len, lines[first : first + n])),
            )
            for first in range(0, len(lines), n)
        ]

    def _ended(self, tokens: list[int]) -> bool:
        """An answer is a turn of a conversation; in plain text one line, after what was thought."""
        if tokens[-1] in self._ends or self.chat:
            return tokens[-1] in self._ends
        text = str(self.tokenizer.decode(tokens))
        written = split_thoughts(text)
        answer = written.answer.strip()
        return not written.unfinished and answer != "" and "\n" in answer + text[len(text.rstrip()) :]

    def _fit(self, request: Request) -> Iterator[Fitted]:
        """Each query with as many demonstrations as fit; a query that does not fit with none is left out."""
        order = request.prompts.drop_order()
        waiting = list(range(len(request.queries)))
        for dropped in range(self._surely_dropped(request.prompts, order), len(order) + 1):
            kept = sorted(order[dropped:])
            texts = [*(request.queries[number] for number in waiting), *request.content_free]
            prefix, queries, options = self._tokens.asked(request.prompts, kept, texts, request.options or ())
            sizes = [
                len(prefix) + len(query) + max(map(len, own), default=request.max_new_tokens)
                for query, own in zip(queries, options, strict=True)
            ]
            fits = [size <= self.max_length for size in sizes]
            if any(fits[: len(waiting)]) and all(fits[len(waiting) :]):
                numbers, shown = list(compress(waiting, fits)), list(compress(queries, fits))
                yield Fitted(kept, prefix, numbers, shown, list(compress(options, fits)))
                waiting = [number for number, fit in zip(waiting, fits, strict=False) if not fit]
            if not waiting:
                return

    def _surely_dropped(self, prompts: Prompts, order: Sequence[int]) -> int:
        """How many demonstrations can never fit, so that prompts with them need not be written."""
        shown = [f"{one.query} {one.answer}" for one in prompts.demonstrations]
        # Where two meet, tokens may merge: a few less than they have alone.
        sizes = [max(len(tokens) - MERGED, 0) for tokens in self._tokens.encode(shown)]
        left = sum(sizes)
        for dropped, number in enumerate(order):
            if left <= self.max_length:
                return dropped
            left -= sizes[number]
        return len(order)


def require_causal(config: PreTrainedConfig) -> None:
    """Refuses an encoder: `transformers` would load it, but each of its words sees those after it."""
    decodes = any(getattr(config, name, False) for name in ("is_decoder", "is_encoder_decoder"))
    both_ways = type(config) in MODEL_FOR_MASKED_LM_MAPPING and not decodes
    saved_as = config.architectures or []
    if both_ways and not any(part in name for name in saved_as for part in ("CausalLM", "LMHead")):
        raise ValueError(
            f"A model of type {config.model_type!r} that is no decoder is an encoder, but a causal language model is "
            "needed. Take another model."
        )


def _read(name: str | Path) -> tuple[Any, Any]:
    model = load_model(AutoModelForCausalLM, name, dtype="auto" if torch.cuda.is_available() else torch.float32)
    require_causal(model.config)
    return model, AutoTokenizer.from_pretrained(model_place(name))
