"""What all methods share."""

from typing import Any, ClassVar

import torch
from torch import nn

# Labels of positions that only fill up a batch.
PADDING = -1


class Method(nn.Module):
    """Scores queries against a support set of vectors.

    Batches are padded; the leading dimension is episodes. `nota` says that the method has a score for
    none-of-the-above, which is then the last class. `options` are what it takes to build the method again.
    """

    representation: ClassVar[str] = "any"
    nota: ClassVar[bool] = False

    def __init__(self, dim: int, **options: Any) -> None:
        super().__init__()
        self.dim = dim
        self.options = options

    def transform(self, vectors: torch.Tensor) -> torch.Tensor:
        """What happens to an encoder's vectors (..., dim) before they are compared."""
        return vectors

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        """Scores of queries.

        Args:
            support: vectors (episodes, support, dim).
            labels: classes of them (episodes, support), PADDING where there is none.
            query: vectors (episodes, query, dim).
            n_classes: number of classes, none-of-the-above not counted.

        Returns:
            (episodes, query, n_classes), one more with none-of-the-above; -inf for a class without a support vector.
        """
        raise NotImplementedError

    def decode(self, scores: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The classes of sequences of scores (sequences, length, classes) with the given true lengths."""
        return scores.argmax(-1)


def similarity(query: torch.Tensor, keys: torch.Tensor, kind: str) -> torch.Tensor:
    """(episodes, query, keys): the dot product, or the negative squared Euclidean distance."""
    products = query @ keys.transpose(1, 2)
    if kind == "dot":
        return products
    return 2 * products - query.square().sum(-1, keepdim=True) - keys.square().sum(-1).unsqueeze(1)


def require_similarity(kind: str) -> str:
    """A similarity that exists."""
    if kind not in ("l2", "dot"):
        raise ValueError(f'similarity must be "l2" or "dot", but is {kind!r}.')
    return kind
