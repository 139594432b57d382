"""Which BIO tag may follow which: fixed rules, and collapsed dependency transfer (Hou et al., 2020, Section 3.1).

The tags of an episode are numbered O, B-first slot, I-first slot, B-second slot, and so on. Both kinds are written for
the abstract tags O, B and I, and unfold to the tags of any number of slots.
"""

from typing import NamedTuple

import torch
from torch import nn

from hf_fewshot.methods.blocks import lean, rows_per_block

# Finite, so that sums and gradients stay numbers.
NEVER = -1e4
# For decoding in double precision: below the sum of all scores of a sentence, however large distances are.
FORBIDDEN = -(2.0**40)
O, B, I = 0, 1, 2  # noqa: E741 - the names of the tags
# From O, B, I (rows) to O, B and I of the same slot, B and I of another slot (columns).
SAME_B, SAME_I, OTHER_B, OTHER_I = 1, 2, 3, 4


class Unfolded(NamedTuple):
    """Scores of beginning with a tag (tags,), of one tag (rows) after another (tags, tags), of ending (tags,)."""

    start: torch.Tensor
    between: torch.Tensor
    end: torch.Tensor


def unfold(start: torch.Tensor, table: torch.Tensor, end: torch.Tensor, n_slots: int) -> Unfolded:
    """Scores of abstract tags (3,), (3, 5), (3,) for the tags of `n_slots` slots."""
    slots = torch.arange(n_slots, device=table.device)
    kinds = torch.cat([slots.new_tensor([O]), slots.new_tensor([B, I]).repeat(n_slots)])
    owners = torch.cat([slots.new_tensor([-1]), slots.repeat_interleave(2)])
    same = owners.unsqueeze(1) == owners
    columns = torch.where(kinds == O, kinds, torch.where(same, kinds, kinds + 2))
    return Unfolded(start[kinds], table[kinds.unsqueeze(1), columns], end[kinds])


class Transitions(nn.Module):
    """No preference: every tag may follow every other."""

    # Whether the scores are learned, with a loss over whole sequences of tags.
    learned = False

    def forward(self, n_slots: int) -> Unfolded:
        """The scores for the tags of `n_slots` slots."""
        return unfold(torch.zeros(3), torch.zeros(3, 5), torch.zeros(3), n_slots)


class RuleTransitions(Transitions):
    """An I tag only follows B or I of its own slot."""

    def forward(self, n_slots: int) -> Unfolded:
        start, table = torch.zeros(3), torch.zeros(3, 5)
        start[I] = FORBIDDEN
        table[:, OTHER_I] = FORBIDDEN
        return unfold(start, table, torch.zeros(3), n_slots)


class CollapsedTransitions(Transitions):
    """Scores of abstract transitions, learned on the training domains and unfolded to any other."""

    learned = True

    def __init__(self) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.zeros(3))
        self.table = nn.Parameter(torch.zeros(3, 5))
        self.end = nn.Parameter(torch.zeros(3))

    def forward(self, n_slots: int) -> Unfolded:
        return unfold(self.start, self.table, self.end, n_slots)


TRANSITIONS = {"none": Transitions, "rules": RuleTransitions, "cdt": CollapsedTransitions}


def sequence_losses(
    emissions: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor, transitions: Unfolded
) -> torch.Tensor:
    """Negative log likelihoods (sequences,) of tags in a linear-chain conditional random field.

    Args:
        emissions: finite scores (sequences, length, tags).
        tags: (sequences, length); any number beyond a sequence's length.
        lengths: (sequences,), at least 1.
        transitions: of the same number of tags.
    """
    start, between, end = transitions
    n_sequences, length, n_tags = emissions.shape
    inside = torch.arange(length, device=lengths.device) < lengths.unsqueeze(1)
    tags = tags.clamp(0, n_tags - 1)
    steps = emissions.gather(2, tags.unsqueeze(2)).squeeze(2)
    steps = torch.cat([steps[:, :1] + start[tags[:, :1]], steps[:, 1:] + between[tags[:, :-1], tags[:, 1:]]], dim=1)
    last = tags.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1)
    gold = (steps * inside).sum(1) + end[last]

    total = emissions[:, 0] + start
    # The gradient needs all transitions at all positions: of long sentences, those of a stretch at a time.
    size = rows_per_block(n_sequences * n_tags * n_tags)
    stretches = [(emissions[:, i : i + size], inside[:, i : i + size], between) for i in range(1, length, size)]
    for stretch in stretches:
        total = lean(_forward, len(stretches) > 1)(total, *stretch)
    return (total + end).logsumexp(1) - gold


def _forward(
    total: torch.Tensor, emissions: torch.Tensor, inside: torch.Tensor, between: torch.Tensor
) -> torch.Tensor:
    """The log sums (sequences, tags) of all ways to each tag at the end of some more positions."""
    for position in range(emissions.shape[1]):  # one step for all sequences
        reached = (total.unsqueeze(2) + between).logsumexp(1) + emissions[:, position]
        total = torch.where(inside[:, position].unsqueeze(1), reached, total)
    return total
