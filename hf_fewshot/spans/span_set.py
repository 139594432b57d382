"""The answers of the set head."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence

from hf_fewshot.methods.blocks import NUMBERS_PER_BLOCK, groups
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.spans.decoding import best_sets, best_span, span_scores
from hf_fewshot.spans.inputs import SEPARATOR, Passage, SpanInputBuilder
from hf_fewshot.spans.scores import token_scores


def answer_counts(rows: Iterable[dict[str, Any]]) -> dict[str, bool]:
    """What training rows show of a task, as options of the set head: can an answer be missing, can there be several?

    A classification task has exactly one answer. S1 would otherwise reward naming all labels: two of which one is
    right score 0.67.
    """
    counts = [len(row["answers"]) for row in rows]
    if not counts:
        raise ValueError("Expected training rows, got none: they say how many answers a row can have.")
    return {"required": min(counts) > 0, "several": max(counts) > 1}


def set_answers(model: SpanModel, builder: SpanInputBuilder, passages: Sequence[Passage]) -> list[list[str]]:
    """The set of answers of each passage, in the order in which they stand."""
    return decode(passages, token_scores(model, builder, passages), model.config)


def decode(passages: Sequence[Passage], scores: Sequence[torch.Tensor], config: Any) -> list[list[str]]:
    """The answers of each passage from the scores of its tokens (tokens, 2)."""
    answers: list[list[str]] = []
    # Every token has a score for each length of a span: a very long passage does not go with many others.
    lengths = [[len(passage.ids)] for passage in passages]
    for part in groups(lengths, lambda n, longest: n * longest * config.max_answer_tokens, NUMBERS_PER_BLOCK):
        answers += _decode_together(passages[part], scores[part], config)
    return answers


def _decode_together(passages: Sequence[Passage], scores: Sequence[torch.Tensor], config: Any) -> list[list[str]]:
    grid = pad_sequence(list(scores), batch_first=True, padding_value=-torch.inf)
    own = [torch.from_numpy(passage.segments) for passage in passages]
    segments = pad_sequence(own, batch_first=True, padding_value=SEPARATOR)
    spans = span_scores(grid[..., 0], grid[..., 1], segments, config.max_answer_tokens)
    best, value = best_span(spans)
    # "No answer" scores 0.
    answered = torch.isfinite(value) if config.required else value > 0
    alone = torch.cat([torch.arange(len(passages)).unsqueeze(1), best], dim=1)
    found = alone[answered]
    if config.several:
        sets = best_sets(spans)
        # A row whose spans are all below "no answer" has at most its best one.
        found = torch.cat([sets, alone[answered & (value <= 0)]])
    answers: list[dict[str, None]] = [{} for _ in passages]
    for row, first, last in found.tolist():
        answers[row][passages[row].text(first, last)] = None
    return [list(texts) for texts in answers]
