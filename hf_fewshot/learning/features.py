"""The vectors of examples that heads see: of length 1, one for each word and one for each example."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import torch
from torch import nn

from hf_fewshot.tasks.task import ClassColumn


class Features(NamedTuple):
    """Vectors (rows, dim) of examples as the encoder gives them, and where those of each begin (examples + 1,).

    Where a task tags words, the rows of an example are its words; else it has one.
    """

    rows: torch.Tensor
    offsets: np.ndarray

    def of(self, column: ClassColumn) -> torch.Tensor:
        """The vectors that say the class of a column, of length 1."""
        return nn.functional.normalize(self.rows if column.is_tags else self.means, dim=-1)

    @property
    def means(self) -> torch.Tensor:
        """One vector for each example: its only one, or the mean of its words."""
        lengths = np.diff(self.offsets)
        if len(self.rows) == len(lengths):
            return self.rows
        numbers = torch.from_numpy(np.repeat(np.arange(len(lengths)), lengths)).to(self.rows.device)
        sums = self.rows.new_zeros(len(lengths), self.rows.shape[1]).index_add_(0, numbers, self.rows)
        return sums / torch.from_numpy(lengths).to(self.rows).unsqueeze(1)

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        return self._replace(rows=self.rows.to(device))

    def first(self, count: int) -> Self:
        """The features of the first examples."""
        return type(self)(self.rows[: self.offsets[count]], self.offsets[: count + 1])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The features of several lists of examples, one after the other."""
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(torch.cat([part.rows for part in parts]), np.concatenate([[0], np.cumsum(lengths)]))
