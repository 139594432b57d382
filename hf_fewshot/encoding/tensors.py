"""Tensors that belong together, each under its name."""

from dataclasses import dataclass, replace
from typing import Any, Self

import torch


@dataclass(frozen=True, eq=False)
class Tensors:
    """Base of batches: what they are made of, tensors, numbers and other batches, is known by name.

    A batch moves to a device as a whole. `accelerate` asks for `to`, so it does so inside what a collator returns too.
    """

    def by_name(self) -> dict[str, Any]:
        """The parts as keyword arguments."""
        return dict(vars(self))

    def to(self, device: torch.device | str, non_blocking: bool = False) -> Self:
        """The same on a device."""
        moved = {
            name: part.to(device, non_blocking=non_blocking)
            for name, part in vars(self).items()
            if isinstance(part, torch.Tensor | Tensors)
        }
        return replace(self, **moved)
