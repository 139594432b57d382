"""How the next word of an answer is chosen."""

from dataclasses import dataclass

from hf_fewshot.episodes.options import require_seed, require_whole


@dataclass(frozen=True)
class Sampling:
    """One greedy answer, or several drawn ones.

    Args:
        temperature: 0: always the most likely token; else logits are divided by it, and tokens are drawn.
        samples: how many answers are drawn to each query; what most of them say is the prediction.
        seed: of what is drawn.
    """

    temperature: float = 0.0
    samples: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        require_whole(samples=self.samples)
        require_seed(self.seed)
        if not 0 <= self.temperature <= 10:
            raise ValueError(f"temperature={self.temperature}, but it must be from 0 to 10.")
        if self.samples > 1 and self.temperature == 0:
            raise ValueError(f"samples={self.samples} at temperature 0 would all be the same. Give a temperature.")
