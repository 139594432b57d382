"""The body of a chat completion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hf_fewshot.endpoints.usage import Usage

# No answer in the form asked for is so long; what is kept of one must stay small.
LONGEST_TEXT = 100_000
# Where servers put what a model thought before it answered.
THOUGHTS = ("reasoning_content", "reasoning")
WITHHELD = "content_filter"
CUT_OFF = "length"


@dataclass(frozen=True)
class Choice:
    """One of the answers in a body; `text` is None where a content filter withheld it."""

    text: str | None
    thought: str | None
    cut_off: bool


@dataclass(frozen=True)
class Completion:
    """What a server answered: at least one choice, the tokens, and the name it gives to its model."""

    choices: tuple[Choice, ...]
    usage: Usage
    model: str | None

    @classmethod
    def read(cls, body: Any) -> "Completion":
        """Raises ValueError, TypeError or LookupError for a body that is no completion."""
        choices = tuple(_choice(one) for one in body["choices"])
        if not choices:
            raise ValueError("an answer without any choice")
        model = body.get("model")
        return cls(choices, Usage.of(body), model if isinstance(model, str) and model else None)


def _choice(given: Mapping[str, Any]) -> Choice:
    message, ended = given["message"], given.get("finish_reason")
    text = message.get("content")
    thought = next((message[name] for name in THOUGHTS if isinstance(message.get(name), str)), None) or None
    withheld = text is None and ended == WITHHELD
    if text is None and (ended == CUT_OFF or thought is not None):
        text = ""  # all of it went into thinking: asked again, it would be the same
    if not isinstance(text, str) and not withheld:
        raise ValueError(f"an answer without text: {str(given)[:200]}")
    return Choice(
        None if text is None else text[:LONGEST_TEXT],
        None if thought is None else thought[:LONGEST_TEXT],
        ended == CUT_OFF,
    )
