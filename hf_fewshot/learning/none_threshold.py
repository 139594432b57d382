"""Where none of the above begins: a threshold on the likeness to a class, chosen on the examples alone."""

import numpy as np
import torch
from torch import nn


def choose_threshold(vectors: torch.Tensor, labels: torch.Tensor, n_classes: int) -> float:
    """The cosine with the nearest class below which a query is none of the above.

    Each example is asked twice: without itself in its class (it should be taken for something), and without its class
    (it should be none). The threshold is the one that is right most often, both cases weighing the same.

    Args:
        vectors: (n, dim) of length 1.
        labels: (n,) classes from 0.
    """
    members = nn.functional.one_hot(labels, n_classes).to(vectors.dtype)
    sums, counts = members.T @ vectors, members.sum(0)
    own_sums = sums[labels] - vectors
    has_own = counts[labels] > 1
    if not bool(has_own.any()) or n_classes < 2:
        raise ValueError(
            f"none_of_the_above=True needs two classes, and one of them with two examples; got {n_classes} classes "
            f"and {len(labels)} examples. Add examples, or leave it out."
        )
    cosines = vectors @ nn.functional.normalize(sums, dim=-1).T
    others = cosines.masked_fill(members.bool(), -torch.inf).amax(1)
    own = (vectors * nn.functional.normalize(own_sums, dim=-1)).sum(1)
    inside = torch.maximum(own, others)[has_own].double().cpu().numpy()
    return _best_cut(inside, others.double().cpu().numpy())


def _best_cut(inside: np.ndarray, outside: np.ndarray) -> float:
    """The number with the largest share of `inside` at or above it plus share of `outside` below it."""
    values = np.unique(np.concatenate([inside, outside]))
    cuts = np.concatenate([[values[0]], (values[1:] + values[:-1]) / 2])
    shares = [(inside >= cut).mean() + (outside < cut).mean() for cut in cuts]
    return float(cuts[int(np.argmax(shares))])
