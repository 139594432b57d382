"""One question to a backend, for tests."""

from typing import Any

import torch

from hf_fewshot.in_context.backend import Answer, Backend, Request
from hf_fewshot.in_context.prompts import Demonstration, Prompts

PROMPTS = Prompts("Where is it?", (Demonstration("Text: anna lives in rome\nLabel:", "home", "home"),))


def ask(backend: Backend, query: str = "Text: tom works at acme\nLabel:", **fields: Any) -> Answer:
    """The answer to one query after one demonstration."""
    backend.prepare(torch.device("cpu"))
    return ask_on(backend, query, **fields)


def ask_on(backend: Backend, query: str = "Text: mia was born in oslo\nLabel:", **fields: Any) -> Answer:
    """The same in the course of a run."""
    options = {"options": None, "max_new_tokens": 8, **fields}
    (answer,) = backend.answer(Request(PROMPTS, (query,), **options))
    return answer
