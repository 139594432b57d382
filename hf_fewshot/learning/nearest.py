"""The examples nearest to an answer: its reason."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from hf_fewshot.learning.features import Features
from hf_fewshot.tasks.tags import Span, joiner, tag_spans
from hf_fewshot.tasks.task import ClassColumn

Row = Mapping[str, Any]


def nearest_examples(
    vectors: torch.Tensor, support: torch.Tensor, described: Sequence[dict[str, Any]], count: int
) -> list[list[dict[str, Any]]]:
    """For each vector (n, dim) of length 1, what is said of the nearest of the support, with the cosine."""
    found = (vectors @ support.T).topk(min(count, len(described)), dim=1)
    pairs = zip(found.indices.tolist(), found.values.tolist(), strict=True)
    return [
        [{**described[number], "similarity": value} for number, value in zip(numbers, values, strict=True)]
        for numbers, values in pairs
    ]


def described_examples(examples: Sequence[Row], column: ClassColumn) -> list[dict[str, Any]]:
    """What is said of labelled examples: their text and class."""
    return [{"text": text_of(row), "label": row[column.name]} for row in examples]


def spans_of(examples: Sequence[Row], column: ClassColumn) -> tuple[list[tuple[int, Span]], list[dict[str, Any]]]:
    """All entities of examples, each with the number of its example, and what is said of them."""
    places, described = [], []
    for number, row in enumerate(examples):
        for span in tag_spans(row[column.name]):
            start, end, kind = span
            places.append((number, span))
            words = row["tokens"]
            described.append({"text": joiner(words).join(words[start:end]), "type": kind, "sentence": text_of(row)})
    return places, described


def span_vectors(features: Features, places: Sequence[tuple[int, Span]]) -> torch.Tensor:
    """The mean of the words of each span (spans, dim), of length 1."""
    starts = features.offsets
    means = [features.rows[starts[n] + start : starts[n] + end].mean(0) for n, (start, end, _) in places]
    return nn.functional.normalize(torch.stack(means), dim=-1)


def text_of(example: Row) -> str:
    """An example as text."""
    return example["text"] if "text" in example else joiner(example["tokens"]).join(example["tokens"])
