"""An answer in words after it was read."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parsed:
    """An answer in words as a prediction.

    Args:
        prediction: as scoring expects it.
        parsed: whether the answer could be read.
        unplaced: how many entities the sentence, or the label set, does not have.
        loose: whether it was read although it is not in the form asked for.
    """

    prediction: Any
    parsed: bool = True
    unplaced: int = 0
    loose: bool = False
