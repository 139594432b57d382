"""TapNet (Yoon et al., 2019) for tags, and with label names L-TapNet (Hou et al., 2020, Section 3.2)."""

import torch
from torch import nn

MAX_CLASSES = 256
# Directions with smaller singular values are those of classes that an episode does not have.
NEGLIGIBLE = 1e-4


class TaskProjection(nn.Module):
    """Moves vectors into the space in which each prototype of an episode lies along its reference vector.

    The references are learned; with label names they are mixed with the vectors of the names.
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
            references = (1 - name_weight) * references + name_weight * names
        mask = present.unsqueeze(-1).to(prototypes.dtype)
        # A reference counts by how it differs from those of the other classes.
        others = (references * mask).sum(1, keepdim=True) - references
        references = references - others / (mask.sum(1, keepdim=True) - 1).clamp(min=1)
        errors = (nn.functional.normalize(references, dim=-1) - nn.functional.normalize(prototypes, dim=-1)) * mask
        _, sizes, directions = torch.linalg.svd(errors.detach().float(), full_matrices=False)
        # The null space of the errors is what remains without their directions; no gradient goes through the choice.
        directions = (directions * (sizes > NEGLIGIBLE).unsqueeze(-1)).to(prototypes.dtype)
        return _without(prototypes, directions), _without(query, directions)


def _without(vectors: torch.Tensor, directions: torch.Tensor) -> torch.Tensor:
    """Vectors (episodes, n, dim) less their parts along orthonormal directions (episodes, classes, dim)."""
    return vectors - (vectors @ directions.transpose(1, 2)) @ directions
