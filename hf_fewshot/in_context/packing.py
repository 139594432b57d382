"""Several short token sequences behind one prefix, as one long sequence.

The keys and values of the prefix stand in the cache once, for all sequences. A mask keeps each sequence to the prefix
and itself; positions start after the prefix for each. There is no padding.
"""

from collections.abc import Iterator, Sequence

import torch

PREFIX = -1


class Pack:
    """Which sequence each key in the cache belongs to, in the order of the cache: `PREFIX`, or a number.

    A branch is a sequence that goes on from the end of another one, its parent, and sees it.
    """

    def __init__(self, prefix_length: int) -> None:
        self.prefix_length = prefix_length
        self.owners = [PREFIX] * prefix_length
        self.lengths: dict[int, int] = {}
        self.parents: dict[int, int] = {}

    def extend(
        self, pieces: Sequence[tuple[int, Sequence[int]]], dtype: torch.dtype, device: torch.device
    ) -> dict[str, torch.Tensor]:
        """Adds tokens to some sequences: the inputs of a model for `pieces` of (sequence, tokens).

        Returns `input_ids` and `position_ids` (1, tokens) and `attention_mask` (1, 1, tokens, keys), which is added to
        the attention scores.
        """
        ids: list[int] = []
        positions: list[int] = []
        queries: list[int] = []
        for sequence, tokens in pieces:
            start = self.prefix_length + self.lengths.get(self.parents.get(sequence, PREFIX), 0)
            start += self.lengths.get(sequence, 0)
            ids += tokens
            positions += range(start, start + len(tokens))
            queries += [sequence] * len(tokens)
            self.lengths[sequence] = self.lengths.get(sequence, 0) + len(tokens)
        rows = torch.arange(len(self.owners), len(self.owners) + len(ids), device=device)[:, None]
        self.owners += queries
        keys = torch.tensor(self.owners, device=device)
        own = torch.tensor(queries, device=device)[:, None]
        parents = torch.tensor([self.parents.get(query, PREFIX) for query in queries], device=device)[:, None]
        seen = (keys == PREFIX) | (keys == own) | (keys == parents)
        seen &= torch.arange(len(keys), device=device) <= rows
        mask = torch.zeros(seen.shape, dtype=dtype, device=device).masked_fill(~seen, torch.finfo(dtype).min)
        return {
            "input_ids": torch.tensor([ids], device=device),
            "position_ids": torch.tensor([positions], device=device),
            "attention_mask": mask[None, None],
        }


def packs(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Consecutive numbers whose lengths sum to at most `max_tokens`; a longer one is alone."""
    pack: list[int] = []
    size = 0
    for number, length in enumerate(lengths):
        if pack and size + length > max_tokens:
            yield pack
            pack, size = [], 0
        pack.append(number)
        size += length
    if pack:
        yield pack
