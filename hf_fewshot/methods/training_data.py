"""The training examples that a method may begin with."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.vectors import VectorModel, encode_examples
from hf_fewshot.episodes.episode import EpisodeSet


@dataclass(frozen=True)
class TrainingData:
    """Training examples, and a model that encodes as many of them as a method asks for.

    The same seed draws the same examples. `episodes` are those of the examples that are trained on, if there are any.
    """

    examples: Dataset
    model: VectorModel
    tokenizer: PreTrainedTokenizerBase
    seed: int
    accelerator: Accelerator | None = None
    episodes: EpisodeSet | None = None

    def shown(self, column: str) -> list[Any]:
        """A column of the examples as training shows it.

        Of given episodes, every support and query example as often as it stands there; else each example once.
        """
        values = self.examples[column][:]
        if self.episodes is None or not self.episodes.is_given:
            return values
        return [values[row] for episode in self.episodes for row in (*episode.support, *episode.query)]

    def drawn(self, most: int) -> Dataset:
        """Some of the examples, at most so many, in their order."""
        order = np.random.default_rng([self.seed, 2]).permutation(len(self.examples))
        return self.examples.select(sorted(order[:most].tolist()))

    def vectors(self, examples: Dataset) -> torch.Tensor:
        """The vectors (rows, dim) of examples: one each, or one per word, as the model reads them off."""
        encoded = encode_examples(
            self.model, self.tokenizer, examples.to_list(), accelerator=self.accelerator, progress=False
        )
        return encoded.take(np.arange(len(encoded.values))).to(self.model.device)

    def generator(self) -> torch.Generator:
        """A new source of random numbers."""
        return torch.Generator().manual_seed(self.seed)
