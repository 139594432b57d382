"""Micro-F1 over target classes, with a label for none of the above."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .groups import Bootstrap, Groups, PerGroup, pooled
from .inputs import encode_labels, names_of, shown
from .rates import by_name, numbered, numbers, rates, ratio, tally

__all__ = ["encode", "score"]

encode = encode_labels
DEFAULT_NOTA = "NOTA"


def score(
    predictions: Any,
    references: Any,
    *,
    nota_label: str | int | None = None,
    groups: Sequence[Any] | None = None,
    label_names: Sequence[str] | None = None,
    per_group: PerGroup = False,
    confidence_level: float | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Scores one label per example; README.md describes the options and the results."""
    bootstrap = Bootstrap(confidence_level, n_bootstrap, seed)
    encoded = encode(predictions, references)
    grouping = Groups.of(groups, len(encoded.lengths))
    nota = _nota_code(encoded.labels, encoded.are_ids, nota_label)
    names = names_of(encoded, label_names)

    found, gold = encoded.predictions, encoded.references
    found_nota, gold_nota, right = found == nota, gold == nota, found == gold
    correct, predicted, target = right & ~gold_nota, ~found_nota, ~gold_nota

    def in_groups(where: np.ndarray) -> np.ndarray:
        return np.bincount(grouping.codes[where], minlength=len(grouping))

    targets = np.column_stack([in_groups(correct), in_groups(predicted), in_groups(target)])
    rest = [in_groups(where) for where in (right, right & gold_nota, found_nota, gold_nota, np.ones_like(right))]
    rows = np.column_stack([targets, *rest])

    results = pooled(rows, _measures, bootstrap) | numbered(targets.sum(axis=0)) | {"n": len(gold)}
    results |= by_name("per_class", names, tally(gold[correct], found[predicted], gold[target], len(names)))
    return results | grouping.results(rows, lambda counts: _measures(counts) | numbers(counts), per_group)


def _nota_code(labels: list[Any], are_ids: bool, nota_label: str | int | None) -> int:
    """The code of the NOTA label; -1 where no example and no prediction has it."""
    if nota_label is None:
        if are_ids:
            raise ValueError(
                "Class ids do not tell which one is none of the above. Give nota_label, such as nota_label=5."
            )
        if DEFAULT_NOTA not in labels:
            some = ", ".join(map(shown, labels[:3]))
            raise ValueError(
                f"No label is {DEFAULT_NOTA!r} (there are {some}, ...). "
                "Give nota_label, the label for none of the above."
            )
        nota_label = DEFAULT_NOTA
    if isinstance(nota_label, str) == are_ids or isinstance(nota_label, bool):
        kind = "class ids" if are_ids else "strings"
        raise TypeError(f"The labels are {kind}, but nota_label is {shown(nota_label)}. Give it in the same form.")
    return labels.index(nota_label) if nota_label in labels else -1


def _measures(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of rows (correct, predicted and gold targets, right, right NOTA, predicted NOTA, gold NOTA, all)."""
    right, right_nota, found_nota, gold_nota, total = rows.T[3:]
    return {
        **rates(rows),
        "accuracy": ratio(right, total),
        "nota_precision": ratio(right_nota, found_nota),
        "nota_recall": ratio(right_nota, gold_nota),
        "nota_rate": ratio(gold_nota, total),
        "predicted_nota_rate": ratio(found_nota, total),
    }
