"""Options that a server is made to write, and says how likely each of their tokens was."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from hf_fewshot.endpoints.echo import is_logprob
from hf_fewshot.endpoints.option_logprobs import OptionLogprobs, Send, UnknownWayError
from hf_fewshot.endpoints.usage import Usage


class Dictated:
    """`grammar` and `logprobs` of llama.cpp's server: the grammar allows one text, the option.

    The probabilities are those before the grammar takes its part. The model writes the option in its likeliest tokens.
    """

    def ask(self, send: Send, prompt: str, options: Sequence[str]) -> OptionLogprobs:
        """One request for each option."""
        found = [send(prompt, _fields(option), partial(_read, option)) for option in options]
        return OptionLogprobs([values for values, _ in found], Usage.total(usage for _, usage in found))


def _fields(option: str) -> dict[str, Any]:
    # A token has at least one byte; one more may be the end.
    grammar = f"root ::= {json.dumps(option, ensure_ascii=False)}"
    return {"grammar": grammar, "logprobs": 1, "max_tokens": len(option.encode()) + 1, "temperature": 0.0}


def _read(option: str, body: Any) -> tuple[list[float], Usage]:
    choice = body["choices"][0]
    given = choice.get("logprobs")
    content = given.get("content") if isinstance(given, Mapping) else None
    if choice.get("text") != option or not isinstance(content, list):
        raise UnknownWayError
    values, written, whole = [], b"", option.encode()
    for token in content:
        if written == whole:
            break  # what follows is the end of the answer
        written += bytes(token["bytes"])
        values.append(token["logprob"])
    if written != whole or not all(map(is_logprob, values)):
        raise UnknownWayError
    return values, Usage.of(body)
