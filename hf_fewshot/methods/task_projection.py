"""TapNet (Yoon et al., 2019) for tags, and with label names L-TapNet (Hou et al., 2020, Section 3.2)."""

import torch
from torch import nn

MAX_CLASSES = 256
# Keeps the equations solvable where an episode does not have a class, and changes nothing else.
RIDGE = 1e-6


class TaskProjection(nn.Module):
    """Moves vectors into the space in which each prototype of an episode lies along its reference vector.

    The references are learned; with label names they are mixed with the directions of the names' vectors.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.references = nn.Parameter(torch.randn(MAX_CLASSES, dim) * dim**-0.5)

    def forward(
        self,
        prototypes: torch.Tensor,
        present: torch.Tensor,
        query: torch.Tensor,
        names: torch.Tensor | None = None,
        name_weight: float = 0.0,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Projected prototypes and queries.

        Args:
            prototypes: (episodes, classes, dim).
            present: whether a class has a prototype (episodes, classes).
            query: (episodes, query, dim).
            names: vectors of the classes' names (episodes, classes, dim).
            name_weight: their share of the references.
        """
        n_classes = prototypes.shape[1]
        if n_classes > MAX_CLASSES:
            raise ValueError(f"TapNet has {MAX_CLASSES} references, but an episode has {n_classes} tags.")
        references = self.references[:n_classes].to(prototypes.dtype).expand_as(prototypes)
        if names is not None:
            own, named = (nn.functional.normalize(vectors, dim=-1) for vectors in (references, names))
            references = (1 - name_weight) * own + name_weight * named
        mask = present.unsqueeze(-1).to(prototypes.dtype)
        # A reference counts by how it differs from those of the other classes.
        others = (references * mask).sum(1, keepdim=True) - references
        references = references - others / (mask.sum(1, keepdim=True) - 1).clamp(min=1)
        errors = (nn.functional.normalize(references, dim=-1) - nn.functional.normalize(prototypes, dim=-1)) * mask
        return _without(prototypes, errors), _without(query, errors)


def _without(vectors: torch.Tensor, errors: torch.Tensor) -> torch.Tensor:
    """Vectors (episodes, n, dim) less their parts in the span of the errors (episodes, classes, dim).

    What remains is their image in the null space of the errors, where prototypes and references point the same way.
    """
    gram = errors @ errors.transpose(1, 2)
    gram = gram + RIDGE * torch.eye(gram.shape[1], dtype=gram.dtype, device=gram.device)
    parts = torch.linalg.solve(gram, errors @ vectors.transpose(1, 2))
    return vectors - parts.transpose(1, 2) @ errors
