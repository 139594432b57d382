"""The side of our metrics that faces `evaluate`: an optional `groups` input, and checks before data is stored."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .groups import group_ids
from .inputs import as_list

if TYPE_CHECKING:
    from evaluate import Metric as _Metric
else:
    _Metric = object

# evaluate stores every declared input of every batch: examples without a group are stored with this one.
NO_GROUP = ""


def given_groups(groups: Any) -> Any:
    """The groups as the user gave them: None where all stored examples have none."""
    if groups is None or not hasattr(groups, "__iter__"):
        return groups
    without = sum(isinstance(group, str) and group == NO_GROUP for group in groups)
    if without and without < len(groups):
        raise ValueError(f"{without} of {len(groups)} examples have no group. Give groups in all batches or in none.")
    return None if without else groups


class GroupedMetric(_Metric):
    """Mixin before `evaluate.Metric`. A subclass sets `_encode`, the check that its `_compute` begins with."""

    _encode: Any

    def compute(
        self, *, predictions: Any = None, references: Any = None, groups: Any = None, **options: Any
    ) -> dict[str, float]:
        """Compute the scores of these examples, or of all batches that were added before."""
        if predictions is None and references is None:
            if groups is not None:
                raise ValueError("groups came without their examples. Give them to add_batch, with the examples.")
            return super().compute(**options)
        if self.num_process == 1 and self.writer is None:
            # All data is at hand: storing it in an Arrow file first, as evaluate does, would take most of the time.
            return self._compute(predictions=predictions, references=references, groups=groups, **options)
        return super().compute(predictions=predictions, references=references, groups=groups, **options)

    def add_batch(self, *, predictions: Any = None, references: Any = None, groups: Any = None) -> None:
        """Add a batch of examples."""
        if all(hasattr(column, "__len__") and len(column) == 0 for column in (predictions, references)):
            return
        self._encode(predictions, references)
        batch = {
            "predictions": self._stored(as_list("predictions", predictions)),
            "references": self._stored(as_list("references", references)),
            "groups": self._stored_groups(groups, len(references)),
        }
        # Arrow would silently turn class ids into strings, and the other way round.
        if self.writer is not None and self._infer_feature_from_batch(batch) != self.selected_feature_format:
            raise TypeError(
                "This batch and the ones before it mix strings and class ids. "
                "Give all labels as strings or all as class ids."
            )
        super().add_batch(**batch)

    def add(self, *, prediction: Any = None, reference: Any = None, groups: Any = None) -> None:
        """Add one example."""
        self._encode([prediction], [reference])
        (group,) = self._stored_groups(None if groups is None else [groups], 1)
        super().add(prediction=self._stored([prediction])[0], reference=self._stored([reference])[0], groups=group)

    def _stored(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The part of the examples that is stored."""
        return rows

    def _stored_groups(self, groups: Any, n_examples: int) -> list[Any]:
        return [NO_GROUP] * n_examples if groups is None else group_ids(groups, n_examples)

    def _labels_of(self, row: Any) -> Any:
        """The labels of an example that may be none."""
        return row

    def _infer_feature_from_batch(self, batch: dict[str, Any]) -> Any:
        # evaluate looks at the first example, which tells nothing of the kind of labels if it has none.
        labels = map(self._labels_of, batch["references"])
        telling = next((index for index, row in enumerate(labels) if not hasattr(row, "__len__") or len(row)), 0)
        return self._infer_feature_from_example({name: column[telling] for name, column in batch.items()})
