"""From the log-likelihoods of options to scores that can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hf_fewshot.registry import unknown

CALIBRATIONS = ("none", "content_free")
# The content-free inputs of Zhao et al. (2021), "Calibrate Before Use", section 5.
CONTENT_FREE = ("N/A", "[MASK]", "")


@dataclass(frozen=True)
class Calibration:
    """How options are compared.

    Args:
        kind: "none", or "content_free": probabilities are divided by those that the model gives to queries without
            content, after the same demonstrations (contextual calibration, Zhao et al. 2021).
        per_token: compare mean log-likelihoods per token, so that words of many tokens have no disadvantage.
    """

    kind: str = "none"
    per_token: bool = False

    def __post_init__(self) -> None:
        if self.kind not in CALIBRATIONS:
            raise unknown("calibration", self.kind, CALIBRATIONS)

    def comparable(self, scores: Sequence[float], lengths: Sequence[int]) -> np.ndarray:
        """Log-probabilities (options) that sum to one over the options."""
        values = np.asarray(scores, dtype=np.float64)
        if not np.isfinite(values).all():
            raise ValueError("The scores are NaN or infinite: the weights of the model are damaged. Load them again.")
        if self.per_token:
            values = values / np.asarray(lengths)
        return values - np.logaddexp.reduce(values)

    def correct(self, values: np.ndarray, content_free: Sequence[np.ndarray]) -> np.ndarray:
        """The values (options) of a query, without what the model prefers anyway."""
        if self.kind == "none":
            return values
        return values - np.log(np.mean(np.exp(content_free), axis=0))
