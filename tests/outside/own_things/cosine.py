"""A method: the cosine between a query and the mean of each class."""

import torch
from torch.nn import functional

from hf_fewshot import Method
from hf_fewshot.methods.prototypes import prototypes


class Cosine(Method):
    """Cosine similarities with prototypes.

    Args:
        scale: what similarities are multiplied with.
    """

    def __init__(self, dim: int, *, scale: float = 10.0) -> None:
        super().__init__(dim)
        self.scale = scale

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        means, present = prototypes(support, labels, n_classes)
        scores = self.scale * functional.normalize(query, dim=-1) @ functional.normalize(means, dim=-1).transpose(1, 2)
        return scores.masked_fill(~present.unsqueeze(1), -torch.inf)
