"""How likely a causal language model finds the tokens of a text, by one plain forward pass, as servers tell it."""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class ScoredPrompts:
    """A model behind `/completions`: its answers in the forms that servers know.

    Args:
        form: "echo" as OpenAI had it, "prompt_logprobs" as vLLM has it, "dictated" as llama.cpp has it; what else a
            request has is left out without a word.
    """

    def __init__(self, model: Any, tokenizer: Any, form: str = "echo") -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.form = form

    @classmethod
    @cache
    def of(cls, folder: Path) -> "ScoredPrompts":
        """The model in a folder."""
        return cls(AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder))

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        if "content" in request:
            return {"tokens": self.tokenizer(request["content"])["input_ids"] if self.form == "dictated" else None}
        prompt = request["prompt"]
        if not isinstance(prompt, str):
            return self.dictated(prompt, request["logit_bias"][0][0])
        tokens, own, last = self.scored(self.tokenizer(prompt)["input_ids"])
        words = [self.tokenizer.decode([token]) for token in tokens]
        choice: dict[str, Any] = {"index": 0, "finish_reason": "length", "text": last}
        if self.form == "echo" and request.get("echo"):
            choice |= {"text": prompt + last, "logprobs": {"tokens": [*words, last], "token_logprobs": [*own, -0.5]}}
        elif self.form == "prompt_logprobs" and "prompt_logprobs" in request:
            pairs = zip(tokens, own, strict=True)
            choice["prompt_logprobs"] = [
                None if value is None else {str(token): {"logprob": value, "rank": 1}} for token, value in pairs
            ]
        elif request.get("logprobs"):
            choice["logprobs"] = {"content": [{"token": last, "logprob": -0.5}]}
        return {"choices": [choice], "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1}}

    def dictated(self, tokens: list[int], token: int) -> dict[str, Any]:
        """A token that is written because it was asked for, and how likely it was."""
        written = {"id": token, "logprob": self.scored([*tokens, token])[1][-1]}
        choice = {"text": self.tokenizer.decode([token]), "logprobs": {"content": [written]}}
        return {"choices": [choice], "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1}}

    def scored(self, tokens: list[int]) -> tuple[list[int], list[float | None], str]:
        """Tokens, how likely each is after those before it, and the likeliest one behind all."""
        with torch.no_grad():
            logits = self.model(torch.tensor([tokens])).logits[0].double()
        own = logits.log_softmax(-1)[range(len(tokens) - 1), tokens[1:]]
        return tokens, [None, *own.tolist()], self.tokenizer.decode([int(logits[-1].argmax())])
