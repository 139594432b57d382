"""A logistic regression of the support vectors: the quick head, for frozen encoders."""

from typing import NamedTuple

import torch
from torch import nn

from hf_fewshot.methods.method import Method

MAX_ITERATIONS = 100


class LinearHead(NamedTuple):
    """A linear classifier of vectors: weights (classes, dim) and what is added (classes,)."""

    weight: torch.Tensor
    bias: torch.Tensor

    def scores(self, vectors: torch.Tensor) -> torch.Tensor:
        """Scores (..., classes) of vectors (..., dim)."""
        return nn.functional.linear(vectors, self.weight, self.bias)


def logistic_head(
    vectors: torch.Tensor,
    labels: torch.Tensor,
    n_classes: int,
    *,
    strength: float,
    weights: torch.Tensor | None = None,
) -> LinearHead:
    """The classifier with the least sum of cross-entropies and of the squares of its weights over 2 x `strength`.

    Args:
        vectors: (n, dim).
        labels: (n,) classes from 0; one without a vector gets the score -inf.
        strength: how much the vectors count against small weights (scikit-learn's C).
        weights: (n,) how often each vector counts; None: once.
    """
    exact = vectors.detach().double()
    counts = torch.ones_like(exact[:, 0]) if weights is None else weights.double()
    with torch.inference_mode(False), torch.enable_grad():
        exact, labels, counts = exact.clone(), labels.clone(), counts.clone()
        weight = torch.zeros(n_classes, exact.shape[1], dtype=exact.dtype, device=exact.device, requires_grad=True)
        bias = torch.zeros(n_classes, dtype=exact.dtype, device=exact.device, requires_grad=True)
        optimizer = torch.optim.LBFGS([weight, bias], max_iter=MAX_ITERATIONS, line_search_fn="strong_wolfe")

        def loss() -> torch.Tensor:
            optimizer.zero_grad()
            entropies = nn.functional.cross_entropy(exact @ weight.T + bias, labels, reduction="none")
            total = (counts * entropies).sum() + weight.square().sum() / (2 * strength)
            total.backward()
            return total

        optimizer.step(loss)
    seen = torch.zeros(n_classes, dtype=torch.bool, device=labels.device).index_fill_(0, labels, True)
    found = bias.detach().masked_fill(~seen, -torch.inf)
    return LinearHead(weight.detach().to(vectors.dtype), found.to(vectors.dtype))


class Logistic(Method):
    """Score of a class: that of a logistic regression of the support vectors, all of which are made of length 1.

    Nothing is learned beside it: an encoder is trained with another method.

    Args:
        strength: how much the support set counts against small weights (scikit-learn's C).
    """

    def __init__(self, dim: int, *, strength: float = 30.0) -> None:
        super().__init__(dim)
        if strength <= 0:
            raise ValueError(f"strength must be positive, but is {strength}.")
        self.strength = strength

    def transform(self, vectors: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(vectors, dim=-1)

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        found = []
        for own, classes, asked in zip(support, labels, query, strict=True):
            head = logistic_head(own[classes >= 0], classes[classes >= 0], n_classes, strength=self.strength)
            found.append(head.scores(asked))
        return torch.stack(found)
