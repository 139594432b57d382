"""Where sequences of tokens part: of this machine, as numbers, or of a server, as texts."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def n_shared(first: Sequence[Any], *others: Sequence[Any]) -> int:
    """How many tokens all begin with."""
    size = min(len(first), *map(len, others)) if others else len(first)
    tokens = np.array([own[:size] for own in (first, *others)])
    differs = (tokens != tokens[0]).any(axis=0)
    return int(differs.argmax()) if differs.any() else size


def branch(context: Sequence[Any], wholes: Sequence[Sequence[Any]]) -> int:
    """Where options part from their prompt: so many tokens are the prompt's own; all of it where there are no options.

    A tokenizer may join the end of a prompt with the beginning of an option. What is compared must then begin before
    it, for all options alike, and each has at least one token.

    Args:
        context: the tokens of the prompt alone.
        wholes: those of the prompt with each option.
    """
    return min((min(n_shared(context, whole), len(whole) - 1) for whole in wholes), default=len(context))
