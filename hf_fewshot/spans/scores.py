"""Begin and end scores that a span model gives the windows of passages."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from hf_fewshot.encoding.inputs import batches
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.spans.inputs import Passage, SpanInputBuilder, Window, window_batch

TOKENS_PER_BATCH = 4096


def window_scores(
    model: SpanModel, builder: SpanInputBuilder, passages: Sequence[Passage]
) -> Iterator[tuple[int, Window, torch.Tensor]]:
    """Every window with the number of its passage and the scores of its positions (length, 2), in any order."""
    windows = [(number, window) for number, passage in enumerate(passages) for window in builder.windows(passage)]
    for group in batches(np.array([len(window.ids) for _, window in windows]), TOKENS_PER_BATCH):
        chosen = [windows[number] for number in group]
        batch = window_batch(
            [window for _, window in chosen],
            [passages[number].segments for number, _ in chosen],
            builder.tokenizer.pad_token_id,
        )
        scores = model(**batch.to(model.device).by_name()).logits.float().cpu()
        for own, (number, window) in zip(scores, chosen, strict=True):
            yield number, window, own[: len(window.ids)]


def token_scores(model: SpanModel, builder: SpanInputBuilder, passages: Sequence[Passage]) -> list[torch.Tensor]:
    """Begin and end scores (tokens, 2) of each passage; a token in several windows has the mean of its scores."""
    starts = np.cumsum([0, *(len(passage.ids) for passage in passages)])
    totals = torch.zeros(int(starts[-1]), 2)
    counts = torch.zeros(int(starts[-1]), 1)
    for number, window, scores in window_scores(model, builder, passages):
        inside = np.flatnonzero(window.places >= 0)
        places = torch.from_numpy(window.places[inside] + starts[number])
        totals[places] += scores[inside]
        counts[places] += 1
    return list((totals / counts).split(np.diff(starts).tolist()))
