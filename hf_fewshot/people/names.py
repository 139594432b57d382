"""Names of annotators: short, and seen as they are."""

import unicodedata

from hf_fewshot.people.plan import StudyError
from hf_fewshot.text.short_value import short
from hf_fewshot.text.visible import visible

MAX_LENGTH = 40


class NoNameError(StudyError):
    """A text is no name."""


def require_name(text: str) -> str:
    """The name in its usual form, without white space around it."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= MAX_LENGTH or visible(name, keep="") != name:
        raise NoNameError(f"Expected a name of 1 to {MAX_LENGTH} characters that can all be seen, got {short(text)}.")
    return name
