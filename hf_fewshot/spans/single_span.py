"""The one answer of the classic span head."""

from collections.abc import Sequence

import numpy as np
import torch

from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.spans.decoding import best_span, span_scores
from hf_fewshot.spans.inputs import SEPARATOR, Passage, SpanInputBuilder, Window
from hf_fewshot.spans.scores import window_scores


def best_of_window(
    window: Window, segments: np.ndarray, scores: torch.Tensor, max_tokens: int
) -> tuple[tuple[int, int], float, float]:
    """The best span of a window as tokens of its passage, its score, and that of "no answer", [CLS] to [CLS].

    A score is the sum of a begin and an end score; in one window P(i, j) grows with it.

    Args:
        segments: the text that each token of the passage is in.
        scores: of the window's positions (length, 2).
        max_tokens: the longest span.
    """
    own = np.where(window.places >= 0, segments[window.places], SEPARATOR)
    spans = span_scores(scores[None, :, 0], scores[None, :, 1], torch.from_numpy(own)[None], max_tokens)
    best, value = best_span(spans)
    first, last = best[0].tolist()
    return (int(window.places[first]), int(window.places[last])), value.item(), scores[0].sum().item()


def single_answers(model: SpanModel, builder: SpanInputBuilder, passages: Sequence[Passage]) -> list[list[str]]:
    """The answer of each passage, or none.

    Of several windows, as BERT and the authors' code have it on SQuAD: the span with the highest score in any window,
    unless "no answer" scores higher in every one of them.
    """
    spans = [(0, 0)] * len(passages)
    best = [-torch.inf] * len(passages)
    nothing = [torch.inf] * len(passages)
    for number, window, scores in window_scores(model, builder, passages):
        span, value, null = best_of_window(window, passages[number].segments, scores, model.config.max_answer_tokens)
        if value > best[number]:
            spans[number], best[number] = span, value
        nothing[number] = min(nothing[number], null)
    return [
        [passage.text(*span)] if value > null else []
        for passage, span, value, null in zip(passages, spans, best, nothing, strict=True)
    ]
