"""Work in parts of bounded size, so that no tensor grows with the product of two lengths of an episode."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

# 16 MB in float32: what usual episodes need fits into one block or few.
NUMBERS_PER_BLOCK = 1 << 22


def rows_per_block(numbers_per_row: int) -> int:
    """How many rows of so many numbers fit into a block, one at least."""
    return max(1, NUMBERS_PER_BLOCK // max(1, numbers_per_row))


def groups(shapes: Sequence[Sequence[int]], numbers: Callable[..., int], limit: int) -> list[slice]:
    """Consecutive items that fit into `limit` numbers together when padded, one at least.

    `shapes` are their lengths along one axis or more; `numbers(count, *longest)` says what so many items take that are
    padded to the longest along each axis.
    """
    found, begin, longest = [], 0, None
    for end, shape in enumerate(shapes):
        grown = tuple(shape) if longest is None else tuple(map(max, longest, shape))
        if end > begin and numbers(end - begin + 1, *grown) > limit:
            found.append(slice(begin, end))
            begin, grown = end, tuple(shape)
        longest = grown
    return [*found, slice(begin, len(shapes))] if len(shapes) else []


def in_parts(function: Callable[..., Any], parts: Sequence[Sequence[Any]]) -> list[Any]:
    """The results of a function for the arguments of each part."""
    return [lean(function, len(parts) > 1)(*part) for part in parts]


def over_rows(function: Callable[[torch.Tensor], torch.Tensor], rows: torch.Tensor, size: int) -> torch.Tensor:
    """The results (episodes, rows, ...) of a function of rows (episodes, rows, dim), for `size` rows at a time."""
    parts = rows.split(size, dim=1)
    if len(parts) == 1 or torch.is_grad_enabled():
        return torch.cat([lean(function, len(parts) > 1)(part) for part in parts], dim=1)
    first = function(parts[0])
    # One place for all results: small ones between the large tensors of each part would keep these from being reused.
    whole = first.new_empty(first.shape[0], rows.shape[1], *first.shape[2:])
    whole[:, :size] = first
    for number, part in enumerate(parts[1:], start=1):
        whole[:, number * size : number * size + part.shape[1]] = function(part)
    return whole


def lean(function: Callable[..., Any], several: bool = True) -> Callable[..., Any]:
    """A function of tensors that, as one of several parts, keeps nothing for gradients but what goes in.

    The backward pass computes it again: kept for all parts, what is inside takes the memory that parts save.
    """
    if not several or not torch.is_grad_enabled():
        return function
    return partial(checkpoint, function, use_reentrant=False)
