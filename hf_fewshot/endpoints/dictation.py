"""Options that a server is made to write token by token, and says how likely each was."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from hf_fewshot.endpoints.option_logprobs import (
    COMPLETIONS,
    OptionLogprobs,
    Send,
    UnknownWayError,
    is_logprob,
    parted,
)
from hf_fewshot.endpoints.usage import Usage

TOKENIZE = "/tokenize"
# Larger than any logit, so that the token is written.
CERTAIN = 10_000.0


class Dictated:
    """`tokenize`, `logit_bias` and `logprobs` of llama.cpp's server, whose probabilities are those before the bias."""

    def ask(self, send: Send, prompt: str, options: Sequence[str]) -> OptionLogprobs:
        """One request for each token of each option, and one for each text."""
        texts = (prompt, *(prompt + option for option in options))
        alone, *wholes = (send(TOKENIZE, {"content": text, "add_special": True}, _tokens) for text in texts)
        end = parted(alone, wholes)
        found = [
            [
                send(COMPLETIONS, {"prompt": whole[:place], **_dictated(whole[place])}, partial(_read, whole[place]))
                for place in range(end, len(whole))
            ]
            for whole in wholes
        ]
        usage = Usage.total(own for option in found for _, own in option)
        return OptionLogprobs([[value for value, _ in option] for option in found], usage)


def _dictated(token: int) -> dict[str, Any]:
    return {"logit_bias": [[token, CERTAIN]], "logprobs": 1, "max_tokens": 1, "temperature": 0.0}


def _tokens(body: Any) -> list[int]:
    tokens = body.get("tokens") if isinstance(body, Mapping) else None
    if not isinstance(tokens, list) or not all(type(one) is int for one in tokens):
        raise UnknownWayError
    return tokens


def _read(token: int, body: Any) -> tuple[float, Usage]:
    given = body["choices"][0].get("logprobs")
    content = given.get("content") if isinstance(given, Mapping) else None
    written = content[0] if isinstance(content, list) and content else {}
    if written.get("id") != token or not is_logprob(written.get("logprob")):
        raise UnknownWayError
    return written["logprob"], Usage.of(body)
