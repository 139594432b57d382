"""What the original implementation of NAV and MNAV has between the encoder and the dot product."""

import torch
from torch import nn

HIDDEN = 2000
DROPOUT = 0.1


class RelationHead(nn.Module):
    """Dropout, `y = W1 x + b1` with 2,000 units, then `W2 tanh(y) + b2 + y` (Sabo et al., 2021, their code)."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dropout = nn.Dropout(DROPOUT)
        self.first = nn.Linear(dim, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """(..., dim) to (..., 2000)."""
        hidden = self.first(self.dropout(vectors))
        return self.second(hidden.tanh()) + hidden
