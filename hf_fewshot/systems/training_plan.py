"""The training of a run: what is learned from, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

PARTS = ("data", "validation", "pretraining")


@dataclass(frozen=True)
class Training:
    """The parts of a training.

    Args:
        arguments: of the trainer, such as `{"max_steps": 500}`.
        data: options of the training episodes where they are others than those of the episodes that are predicted.
        validation: options of the episodes, or the fold, that choose the checkpoint; None: the last one is taken.
        pretraining: arguments of the training that comes before; None: there is none.
    """

    arguments: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    validation: dict[str, Any] | None = None
    pretraining: dict[str, Any] | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """From the `training` of a run or recipe, where the arguments stand beside the other parts."""
        parts = {name: given[name] for name in PARTS if name in given}
        return cls({name: value for name, value in given.items() if name not in PARTS}, **parts)

    @property
    def written(self) -> dict[str, Any]:
        """As it stands in a run."""
        # Without options of their own, training episodes are as they would be without `data`; not so the other parts.
        parts = {"data": self.data or None, "validation": self.validation, "pretraining": self.pretraining}
        return {**self.arguments, **{name: part for name, part in parts.items() if part is not None}}
