"""Few-NERD's entity scores: micro precision, recall and F1 over entities, and an analysis of the errors."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .chunks import bare_tags, first_tokens, located, prefixed_tags, read_chunks
from .groups import Bootstrap, Groups, PerGroup, pooled
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
    scheme: str = "io",
    compat: str | None = None,
    per_group: PerGroup = False,
    confidence_level: float | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Scores one list of tags per sentence; README.md describes the options and the results."""
    one_of("scheme", scheme, ("io", "bio"))
    one_of("compat", compat, (None, "original"))
    bootstrap = Bootstrap(confidence_level, n_bootstrap, seed)
    encoded = encode(predictions, references)
    grouping = Groups.of(groups, len(encoded.lengths))
    names = names_of(encoded, label_names)
    if scheme == "bio":
        tag_set = prefixed_tags(names)
    else:
        # Few-NERD numbers the classes of an episode from 1; 0 is O.
        tag_set = bare_tags(names, outside="0" if encoded.are_ids and label_names is None else "O")

    predicted_tags, gold_tags, sequences = encoded.predictions, encoded.references, encoded.lengths
    group_of = np.repeat(grouping.codes, encoded.lengths)
    if compat == "original":
        # The authors' code joins the sentences of a batch before it reads entities: runs go on into the next sentence.
        if not grouping.given:
            grouping = Groups.of(["all"] * len(encoded.lengths), len(encoded.lengths))
            group_of = np.zeros_like(group_of)
        together = np.argsort(group_of, kind="stable")
        predicted_tags, gold_tags, group_of = predicted_tags[together], gold_tags[together], group_of[together]
        sequences = np.bincount(group_of, minlength=len(grouping))

    first = first_tokens(sequences)
    gold, found = read_chunks(gold_tags, first, tag_set), read_chunks(predicted_tags, first, tag_set)
    gold_span, found_span = located(gold, found, len(first))
    gold_type, found_type = gold.types[gold_span], found.types[found_span]
    correct = gold_span[gold_type == found_type]
    coarse_names, coarse_of = _coarse(tag_set.types)
    same_coarse = coarse_of[gold_type] == coarse_of[found_type]

    def in_groups(where: np.ndarray) -> np.ndarray:
        return np.bincount(group_of[where], minlength=len(grouping))

    entities = tally(group_of[gold.starts[correct]], group_of[found.starts], group_of[gold.starts], len(grouping))
    gold_outside, found_outside = tag_set.outside[gold_tags], tag_set.outside[predicted_tags]
    starts = gold.starts[gold_span]
    rows = np.column_stack(
        [
            entities,
            in_groups(predicted_tags == gold_tags),
            in_groups(gold_outside & ~found_outside),
            in_groups(~gold_outside & found_outside),
            in_groups(np.ones_like(gold_outside)),
            in_groups(starts[same_coarse & (gold_type != found_type)]),
            in_groups(starts[~same_coarse]),
            in_groups(starts),
        ]
    )
    types = (gold.types[correct], found.types, gold.types)
    coarse = (coarse_of[gold.types[correct]], coarse_of[found.types], coarse_of[gold.types])
    results = pooled(rows, _measures, bootstrap) | numbered(entities.sum(axis=0))
    results |= {"n_tokens": len(first), "n_sentences": len(encoded.lengths)}
    results |= by_name("per_type", tag_set.types, tally(*types, size=len(tag_set.types)))
    results |= by_name("per_coarse_type", coarse_names, tally(*coarse, size=len(coarse_names)))
    return results | grouping.results(rows, lambda counts: _measures(counts) | numbers(counts), per_group)


def _coarse(types: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """The coarse types, and the code of the coarse type of each fine type (`art-film` is of `art`)."""
    of_type = [name.partition("-")[0] for name in types]
    names = sorted(set(of_type))
    return names, np.array([names.index(name) for name in of_type], dtype=np.int64)


def _measures(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of rows: entities correct, predicted, gold; tokens right, fp, fn, all; spans within, outer, all."""
    right, false_positive, false_negative, tokens, within, outer, spans = rows.T[3:]
    return {
        **rates(rows),
        "accuracy": ratio(right, tokens),
        "fp_error": ratio(false_positive, tokens),
        "fn_error": ratio(false_negative, tokens),
        "within_error": ratio(within, spans),
        "outer_error": ratio(outer, spans),
    }
