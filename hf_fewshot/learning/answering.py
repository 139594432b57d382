"""Answers to queries from their vectors, as plain values."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from hf_fewshot.learning.features import Features
from hf_fewshot.learning.fitted import Fitted, NoneRule, Support
from hf_fewshot.learning.nearest import described_examples, nearest_examples, span_vectors, spans_of
from hf_fewshot.learning.parts import Part
from hf_fewshot.learning.queries import Query
from hf_fewshot.tasks.labels import NOTA
from hf_fewshot.tasks.tags import Span, tag_spans
from hf_fewshot.tasks.task import ClassColumn


class Found(NamedTuple):
    """What a head says of a column: the probabilities (vectors, classes) and the name of the likeliest class of each.

    A query that is none of the above has that name; the probabilities are those of the classes all the same.
    """

    part: Part
    probabilities: np.ndarray
    names: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """The probability of the likeliest class of each vector."""
        return self.probabilities.max(1)


@torch.inference_mode()
def classify(fitted: Fitted, features: Features) -> list[Found]:
    """What the heads say of all vectors."""
    found = []
    for part, head, rule in zip(fitted.parts, fitted.heads, fitted.none, strict=True):
        vectors = features.of(part.column)
        probabilities = head.scores(vectors).softmax(-1)
        names = np.array(part.classes, dtype=object)[probabilities.argmax(1).cpu().numpy()]
        if isinstance(rule, NoneRule):
            names[rule.applies(vectors).cpu().numpy()] = NOTA
        found.append(Found(part, probabilities.cpu().numpy(), names))
    return found


def answers(fitted: Fitted, queries: Sequence[Query], features: Features, nearest: int) -> list[dict[str, Any]]:
    """An answer to each query, with as many of the nearest examples as are asked for."""
    support = fitted.required_support("to name the nearest of them") if nearest else None
    told: list[dict[str, Any]] = [{} for _ in queries]
    # Labels come first, entities after them.
    for found in sorted(classify(fitted, features), key=lambda one: one.part.column.is_tags):
        column = found.part.column
        if column.is_tags:
            own = _entities(found, queries, features, support, nearest)
            for answer, entities in zip(told, own, strict=True):
                answer[column.answer] = entities
            continue
        for answer, name, score in zip(told, found.names.tolist(), found.scores.tolist(), strict=True):
            answer |= {column.answer: name, "score": score}
        if support is not None:
            described = described_examples(support.examples, column)
            near = nearest_examples(features.of(column), support.features.of(column), described, nearest)
            for answer, examples in zip(told, near, strict=True):
                answer["nearest"] = examples
    return told


def _entities(
    found: Found, queries: Sequence[Query], features: Features, support: Support | None, nearest: int
) -> list[list[dict[str, Any]]]:
    """The entities of each query with the characters they stand at; their score is the mean of their words."""
    starts = features.offsets
    places: list[tuple[int, Span]] = []
    told: list[list[dict[str, Any]]] = []
    for number, query in enumerate(queries):
        own = slice(starts[number], starts[number + 1])
        entities = []
        for span in tag_spans(found.names[own].tolist()):
            first, end, kind = span
            characters = query.words[first][0], query.words[end - 1][1]
            score = float(found.scores[own][first:end].mean())
            told_entity = {"type": kind, "text": query.text[slice(*characters)]}
            entities.append({**told_entity, "start": characters[0], "end": characters[1], "score": score})
            places.append((number, span))
        told.append(entities)
    if support is not None and places:
        _add_nearest([one for own in told for one in own], span_vectors(features, places), support, found, nearest)
    return told


def _add_nearest(
    entities: Sequence[dict[str, Any]], vectors: torch.Tensor, support: Support, found: Found, count: int
) -> None:
    column: ClassColumn = found.part.column
    places, described = spans_of(support.examples, column)
    near = nearest_examples(vectors, span_vectors(support.features, places), described, count)
    for entity, examples in zip(entities, near, strict=True):
        entity["nearest"] = examples
