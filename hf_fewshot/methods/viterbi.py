"""Viterbi decoding of padded batches."""

import torch


def viterbi(
    emissions: torch.Tensor,
    lengths: torch.Tensor,
    start: torch.Tensor,
    transitions: torch.Tensor,
    end: torch.Tensor | None = None,
) -> torch.Tensor:
    """The best state sequences (sequences, length); positions beyond a sequence's length are arbitrary.

    Args:
        emissions: log scores (sequences, length, states).
        lengths: true lengths (sequences,).
        start: log scores of beginning in each state (states,).
        transitions: log scores of going from one state (rows) to another (columns).
        end: log scores of ending in each state (states,); none count if not given.
    """
    n_sequences, length, _ = emissions.shape
    best = emissions[:, 0] + start
    back = []
    for position in range(1, length):
        reached = best.unsqueeze(2) + transitions
        scores, sources = reached.max(1)
        inside = (position < lengths).unsqueeze(1)
        best = torch.where(inside, scores + emissions[:, position], best)
        # Past the end a state points to itself, so that the way back begins at the true last position.
        back.append(torch.where(inside, sources, torch.arange(emissions.shape[2], device=emissions.device)))
    states = [(best if end is None else best + end).argmax(1)]
    for sources in reversed(back):
        states.append(sources.gather(1, states[-1].unsqueeze(1)).squeeze(1))
    return torch.stack(states[::-1], dim=1).reshape(n_sequences, length)
