"""A tuned language model as a backend: it is asked as it was tuned."""

from dataclasses import replace
from typing import Any

from hf_fewshot.in_context.backend import Answer, Request
from hf_fewshot.in_context.causal_lm import CausalLM


class TunedLM(CausalLM):
    """Answers queries with or without the demonstrations that the model has learned from.

    Args:
        demonstrations: show them.
        options: of `CausalLM`.
    """

    def __init__(self, model: Any, tokenizer: Any, *, demonstrations: bool = False, **options: Any) -> None:
        super().__init__(model, tokenizer, **options)
        self.demonstrations = demonstrations

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "demonstrations": self.demonstrations}

    def answer(self, request: Request) -> list[Answer]:
        if not self.demonstrations:
            request = replace(request, prompts=replace(request.prompts, demonstrations=()))
        return super().answer(request)
