"""How likely a causal language model finds the tokens of a text, by one plain forward pass, as servers tell it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class ScoredPrompts:
    """A model behind `/completions`: its answers in the forms that servers know.

    Args:
        form: "echo" as OpenAI had it, "prompt_logprobs" as vLLM has it, "grammar" as llama.cpp has it; what else a
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
        prompt, dictated = request["prompt"], ""
        if self.form == "grammar" and "grammar" in request:
            dictated = json.loads(request["grammar"].removeprefix("root ::= "))
        tokens, own, last = self.scored(prompt + dictated)
        words = [self.tokenizer.decode([token]) for token in tokens]
        choice: dict[str, Any] = {"index": 0, "finish_reason": "length", "text": dictated or last}
        if self.form == "echo" and request.get("echo"):
            choice |= {"text": prompt + last, "logprobs": {"tokens": [*words, last], "token_logprobs": [*own, -0.5]}}
        elif self.form == "prompt_logprobs" and "prompt_logprobs" in request:
            pairs = zip(tokens, own, strict=True)
            choice["prompt_logprobs"] = [
                None if value is None else {str(token): {"logprob": value, "rank": 1}} for token, value in pairs
            ]
        elif request.get("logprobs"):
            start = len(self.tokenizer(prompt)["input_ids"])
            pairs = [*zip(words[start:], own[start:], strict=True), (last, -0.5)]
            content = [{"token": word, "bytes": list(word.encode()), "logprob": value} for word, value in pairs]
            choice["logprobs"] = {"content": content}
        return {"choices": [choice], "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1}}

    def scored(self, text: str) -> tuple[list[int], list[float | None], str]:
        """The tokens of a text, how likely each is after those before it, and the likeliest one behind all."""
        tokens = self.tokenizer(text)["input_ids"]
        with torch.no_grad():
            logits = self.model(torch.tensor([tokens])).logits[0].double()
        own = logits.log_softmax(-1)[range(len(tokens) - 1), tokens[1:]]
        return tokens, [None, *own.tolist()], self.tokenizer.decode([int(logits[-1].argmax())])
