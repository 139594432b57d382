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
from hf_fewshot.tasks.labels import NOTA


@dataclass(frozen=True)
class TrainingData:
    """Training examples, and a model that encodes as many of them as a method asks for.

    The same seed draws the same examples. `episodes` are those of the examples that are trained on, if there are any;
    `nota_class` is the class of `examples` that stands for none of the others, where they have one.
    """

    examples: Dataset
    model: VectorModel
    tokenizer: PreTrainedTokenizerBase
    seed: int
    accelerator: Accelerator | None = None
    episodes: EpisodeSet | None = None
    nota_class: str | None = None

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

    def drawn_by_class(self, column: str, n_draws: int, most: int) -> list[list[int]]:
        """Rows of the examples, `n_draws` times: a class is drawn first, all alike, then at most so many of its rows.

        `column` has the classes; none-of-the-above is never drawn.
        """
        members: dict[str, list[int]] = {}
        for row, name in enumerate(self.examples[column][:]):
            members.setdefault(name, []).append(row)
        names = sorted(members.keys() - {self.nota_class, NOTA})
        if not names:
            raise ValueError(
                f"The {len(self.examples)} training examples have no class in {column!r} beside none-of-the-above. "
                "Give examples of some."
            )
        rng = np.random.default_rng([self.seed, 3])
        drawn = [members[names[number]] for number in rng.integers(len(names), size=n_draws)]
        return [rng.permutation(rows)[:most].tolist() for rows in drawn]

    def vectors(self, examples: Dataset) -> torch.Tensor:
        """The vectors (rows, dim) of examples: one each, or one per word, as the model reads them off."""
        encoded = encode_examples(
            self.model, self.tokenizer, examples.to_list(), accelerator=self.accelerator, progress=False
        )
        return encoded.take(np.arange(len(encoded.values))).to(self.model.device)
