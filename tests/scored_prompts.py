"""How likely a causal language model finds the tokens of a text, by one plain forward pass, as servers tell it."""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class ScoredPrompts:
    """A model behind `/completions`: its answers in the forms that servers know.

    Args:
        form: "echo" as OpenAI had it, "prompt_logprobs" as vLLM has it, "generated" as llama.cpp, which leaves `echo`
            out without a word.
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
        tokens = self.tokenizer(request["prompt"])["input_ids"]
        with torch.no_grad():
            logits = self.model(torch.tensor([tokens])).logits[0].double()
        logprobs = logits.log_softmax(-1)
        own = [None, *logprobs[range(len(tokens) - 1), tokens[1:]].tolist()]
        last = int(logits[-1].argmax())
        words = [self.tokenizer.decode([token]) for token in (*tokens, last)]
        choice: dict[str, Any] = {"index": 0, "finish_reason": "length", "text": words[-1]}
        if self.form == "echo" and request.get("echo"):
            values = [*own, float(logprobs[-1, last])]
            choice |= {"text": request["prompt"] + words[-1], "logprobs": {"tokens": words, "token_logprobs": values}}
        elif self.form == "prompt_logprobs" and "prompt_logprobs" in request:
            pairs = zip(tokens, own, strict=True)
            choice["prompt_logprobs"] = [
                None if value is None else {str(token): {"logprob": value, "rank": 1}} for token, value in pairs
            ]
        elif request.get("logprobs"):
            choice["logprobs"] = {"tokens": words[-1:], "token_logprobs": [float(logprobs[-1, last])]}
        return {"choices": [choice], "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1}}
