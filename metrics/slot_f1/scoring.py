"""conlleval: slots that are right in span and type."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .chunks import first_tokens, located, prefixed_tags, read_chunks
from .groups import Bootstrap, Groups, PerGroup, group_means, pooled
from .inputs import encode_tags, names_of, one_of
from .rates import by_name, numbered, numbers, rates, ratio, tally

__all__ = ["encode", "score"]

encode = encode_tags


def score(
    predictions: Any,
    references: Any,
    *,
    groups: Sequence[Any] | None = None,
    label_names: Sequence[str] | None = None,
    average: str = "pooled",
    per_group: PerGroup = False,
    confidence_level: float | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Scores one list of tags per sentence; README.md describes the options and the results."""
    one_of("average", average, ("pooled", "episode"))
    bootstrap = Bootstrap(confidence_level, n_bootstrap, seed)
    encoded = encode(predictions, references)
    grouping = Groups.of(groups, len(encoded.lengths))
    tag_set = prefixed_tags(names_of(encoded, label_names))

    first = first_tokens(encoded.lengths)
    gold = read_chunks(encoded.references, first, tag_set)
    found = read_chunks(encoded.predictions, first, tag_set)
    gold_span, found_span = located(gold, found, len(first))
    correct = gold_span[gold.types[gold_span] == found.types[found_span]]

    group_of = np.repeat(grouping.codes, encoded.lengths)
    chunks = tally(group_of[gold.starts[correct]], group_of[found.starts], group_of[gold.starts], len(grouping))
    wrong = np.bincount(group_of[encoded.predictions != encoded.references], minlength=len(grouping))
    tokens = np.bincount(grouping.codes, encoded.lengths, minlength=len(grouping)).astype(np.int64)
    rows = np.column_stack([chunks, tokens - wrong, tokens])
    by_type = tally(gold.types[correct], found.types, gold.types, len(tag_set.types))

    if average == "episode":
        # An episode without any slot counts as 0: so does conlleval, and FewJoint averages over all episodes.
        grouping.require('average="episode"')
        results = group_means(rows, _measures, bootstrap)
    else:
        results = pooled(rows, _measures, bootstrap)
    results |= numbered(chunks.sum(axis=0))
    results |= {"n_tokens": len(first), "n_sentences": len(encoded.lengths)}
    results |= by_name("per_type", tag_set.types, by_type)
    return results | grouping.results(rows, lambda counts: _measures(counts) | numbers(counts), per_group)


def _measures(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of rows (correct, predicted, gold, right tokens, tokens)."""
    return {**rates(rows), "accuracy": ratio(rows[:, 3], rows[:, 4])}
