"""From begin and end scores of tokens to sets of spans."""

import torch


def span_scores(begin: torch.Tensor, end: torch.Tensor, segments: torch.Tensor, max_tokens: int) -> torch.Tensor:
    """Scores (rows, tokens, max_tokens) of the spans that end at each token, by their length less one.

    The score is the sum of its begin and its end score; a span that leaves its text has -inf.

    Args:
        begin, end: scores of the tokens (rows, tokens), relative to those of "no answer".
        segments: the text that each token is in (rows, tokens); negative: in none.
        max_tokens: the longest span.
    """
    before = torch.nn.functional.pad(begin, (max_tokens - 1, 0), value=-torch.inf)
    segments_before = torch.nn.functional.pad(segments, (max_tokens - 1, 0), value=-1)
    # The last of each window is the token itself: flipped, the first.
    begins = before.unfold(1, max_tokens, 1).flip(2)
    same = (segments_before.unfold(1, max_tokens, 1).flip(2) == segments.unsqueeze(2)) & (segments >= 0).unsqueeze(2)
    return (begins + end.unsqueeze(2)).masked_fill(~same, -torch.inf)


def best_span(scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The best span of each row as first and last token (rows, 2), and its score (rows,)."""
    value, index = scores.flatten(1).max(1)
    last, longer = index // scores.shape[2], index % scores.shape[2]
    return torch.stack([last - longer, last], dim=1), value


def best_sets(scores: torch.Tensor) -> torch.Tensor:
    """The spans (n, 3) of row, first and last token that do not overlap and have the largest sum of scores.

    Exact, by dynamic programming over the last tokens of spans, all rows at once. Two names in a row are thus two
    spans rather than one from the first to the end of the second, as all four of their scores count. Only spans that
    are better than "no answer" (0) are taken.
    """
    n_rows, length, longest = scores.shape
    # best[:, t + longest - 1]: the best sum within the first t tokens; no span begins before the first of them.
    best = scores.new_zeros(n_rows, length + longest)
    chosen = torch.full((n_rows, length), -1, device=scores.device)
    for last in range(length):
        without = best[:, last + longest - 1]
        value, longer = (best[:, last : last + longest].flip(1) + scores[:, last]).max(1)
        better = value > without
        best[:, last + longest] = torch.where(better, value, without)
        chosen[:, last] = torch.where(better, longer, -1)
    rows = torch.arange(n_rows, device=scores.device)
    limit = torch.full((n_rows,), length - 1, device=scores.device)
    found = []
    for last in range(length - 1, -1, -1):
        taken = (limit >= last) & (chosen[:, last] >= 0)
        first = last - chosen[:, last]
        found.append(torch.stack([rows, first, torch.full_like(first, last)], dim=1)[taken])
        limit = torch.where(taken, first - 1, limit)
    return torch.cat(found[::-1]) if found else chosen.new_zeros(0, 3)
