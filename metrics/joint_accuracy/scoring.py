"""Intent and sentence accuracy of joint intent detection and slot filling."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from .groups import Bootstrap, Groups, PerGroup, group_means, pooled
from .inputs import Encoded, as_pair, encode_labels, encode_tags, shown

__all__ = ["FIELDS", "encode", "score"]

FIELDS = ("intent", "slot_tags")


def score(
    predictions: Any,
    references: Any,
    *,
    groups: Sequence[Any] | None = None,
    per_group: PerGroup = False,
    confidence_level: float | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Scores one intent and one list of slot tags per sentence; README.md describes the options and the results."""
    bootstrap = Bootstrap(confidence_level, n_bootstrap, seed)
    intents, tags = encode(predictions, references)
    grouping = Groups.of(groups, len(intents.lengths))

    right_intent = intents.predictions == intents.references
    sentence_of = np.repeat(np.arange(len(tags.lengths)), tags.lengths)
    wrong_tags = np.bincount(sentence_of[tags.predictions != tags.references], minlength=len(tags.lengths))

    def in_groups(where: np.ndarray) -> np.ndarray:
        return np.bincount(grouping.codes[where], minlength=len(grouping))

    columns = (right_intent, right_intent & (wrong_tags == 0), np.ones_like(right_intent))
    rows = np.column_stack([in_groups(where) for where in columns])
    results = pooled(rows, _measures, bootstrap)
    if grouping.given:
        results |= group_means(rows, _measures, bootstrap, suffix="_group_mean") | {"n_groups": len(grouping)}
    results["n"] = len(right_intent)
    return results | grouping.results(rows, _measures, per_group)


def encode(predictions: Any, references: Any) -> tuple[Encoded, Encoded]:
    """Intents and slot tags as codes."""
    predictions, references = as_pair(predictions, references)
    columns = [
        [_field(name, rows, field) for name, rows in (("predictions", predictions), ("references", references))]
        for field in FIELDS
    ]
    return encode_labels(*columns[0]), encode_tags(*columns[1])


def _field(name: str, rows: Sequence[Any], field: str) -> list[Any]:
    try:
        return list(map(itemgetter(field), rows))
    except (KeyError, TypeError, IndexError):
        index, row = next((i, row) for i, row in enumerate(rows) if not isinstance(row, dict) or field not in row)
        raise TypeError(
            f"{name}[{index}] must be a dict with {' and '.join(map(repr, FIELDS))}, got {shown(row)}."
        ) from None


def _measures(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of rows (right intents, right sentences, sentences); no group is empty."""
    return {"intent_accuracy": rows[:, 0] / rows[:, 2], "sentence_accuracy": rows[:, 1] / rows[:, 2]}
