"""What all that predicts batches of episodes with one model shares."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from accelerate import Accelerator
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.vectors import Vectors, encode_examples
from hf_fewshot.episodes.episode import Episode, EpisodeSet


class EpisodeRunner(ABC):
    """Predicts batches of episodes of one set with one model."""

    episodes_per_batch = 32
    representation: ClassVar[str | None] = None  # how vectors are read off, if not as the model says
    model: Any
    batcher: Any

    def __init__(
        self,
        model: Any,
        tokenizer: PreTrainedTokenizerBase,
        episodes: EpisodeSet,
        accelerator: Accelerator,
        progress: bool = False,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.episodes = episodes
        self.accelerator = accelerator
        self.progress = progress
        self.batcher = self.make_batcher()
        self.vectors: Vectors | None = None
        self.starts = self.batcher.starts

    @abstractmethod
    def make_batcher(self) -> Any:
        """What puts episodes together for this model."""

    @property
    @abstractmethod
    def encodes_once(self) -> bool:
        """Whether an example's vectors are the same in all episodes."""

    @abstractmethod
    def predict(self, batch: list[Episode]) -> list[list[Any]]:
        """The predictions of some episodes."""

    def encode_all(self, numbers: Sequence[int], cache_dir: str | Path | None) -> None:
        """Encodes every example of these episodes once."""
        used = self.batcher.used(self.episodes[number] for number in numbers)
        if used:
            self.vectors, self.starts = self.encode(used, cache_dir)

    def encode(
        self, used: list[int], cache_dir: str | Path | None = None, alone: bool = False
    ) -> tuple[Vectors, np.ndarray]:
        """The vectors of some examples, and where those of each example begin."""
        examples = self.batcher.sentences(used)
        vectors = encode_examples(
            self.model,
            self.tokenizer,
            examples,
            accelerator=self.accelerator,
            cache_dir=cache_dir,
            progress=self.progress and not alone,
            alone=alone,
            representation=self.representation,
        )
        starts = np.zeros(len(self.batcher.lengths), dtype=np.int64)
        starts[used] = vectors.offsets[:-1]
        return vectors, starts


def require_numbers(scores: torch.Tensor) -> torch.Tensor:
    """Scores without NaN; -inf stands for a class without support."""
    if scores.isnan().any():
        raise ValueError("The scores are NaN: the weights of the model are damaged. Load them again.")
    return scores
