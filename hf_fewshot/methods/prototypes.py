"""Prototypical networks (Snell et al., 2017): a class is the mean of its support vectors.

ProtoBERT of Few-NERD (with O as a class), the prototypes of entity markers, and of sentences.
"""

import torch

from hf_fewshot.methods.method import Method, require_similarity, require_temperature, similarity


def prototypes(support: torch.Tensor, labels: torch.Tensor, n_classes: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Means (episodes, classes, dim) of the support vectors of each class, and whether it has any."""
    return means_of(*class_sums(support, labels, n_classes))


def class_sums(support: torch.Tensor, labels: torch.Tensor, n_classes: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sums (episodes, classes, dim) of the support vectors of each class, and how many there are."""
    member = torch.nn.functional.one_hot(labels.clamp(min=0), n_classes) * (labels >= 0).unsqueeze(-1)
    member = member.to(support.dtype)
    return member.transpose(1, 2) @ support, member.sum(1)


def means_of(sums: torch.Tensor, counts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Means of classes from sums and counts, and which classes have any."""
    return sums / counts.clamp(min=1).unsqueeze(-1), counts > 0


class Prototypes(Method):
    """Score of a class: similarity of the query to its prototype, divided by a temperature.

    Args:
        similarity: "l2" (negative squared distance), "dot" or "cosine".
        temperature: what scores are divided by; 10 or 20 trains better, predictions do not depend on it.
    """

    def __init__(self, dim: int, *, similarity: str = "l2", temperature: float = 1.0) -> None:
        super().__init__(dim)
        self.similarity = require_similarity(similarity)
        self.temperature = require_temperature(temperature)

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        means, present = prototypes(support, labels, n_classes)
        scores = similarity(query, means, self.similarity) / self.temperature
        return scores.masked_fill(~present.unsqueeze(1), -torch.inf)
