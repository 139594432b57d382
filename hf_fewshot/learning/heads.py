"""Linear classifiers of vectors of length 1."""

import torch
from torch import nn

from hf_fewshot.learning.options import PROTOTYPES, SCALE, LearnerOptions
from hf_fewshot.methods.logistic import LinearHead, logistic_head


def fitted_head(vectors: torch.Tensor, labels: torch.Tensor, n_classes: int, options: LearnerOptions) -> LinearHead:
    """The head that the options ask for, from vectors (n, dim) and their classes (n,)."""
    if options.head == PROTOTYPES:
        return prototype_head(vectors, labels, n_classes, SCALE)
    return logistic_head(vectors, labels, n_classes, strength=options.strength)


def prototype_head(vectors: torch.Tensor, labels: torch.Tensor, n_classes: int, scale: float) -> LinearHead:
    """The cosine with the mean vector of each class, times a scale, as a linear classifier."""
    seen = torch.zeros(n_classes, dtype=torch.bool, device=labels.device).index_fill_(0, labels, True)
    bias = vectors.new_zeros(n_classes).masked_fill(~seen, -torch.inf)
    return LinearHead(scale * class_means(vectors, labels, n_classes), bias)


def class_means(vectors: torch.Tensor, labels: torch.Tensor, n_classes: int) -> torch.Tensor:
    """The mean vector (classes, dim) of each class, of length 1."""
    sums = vectors.new_zeros(n_classes, vectors.shape[1]).index_add_(0, labels, vectors)
    return nn.functional.normalize(sums, dim=-1)
