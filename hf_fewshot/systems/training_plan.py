"""The training of a run: what is learned from, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from hf_fewshot.systems.system import EPISODES, EXAMPLES, TrainedBy

PARTS = ("data", "validation", "pretraining")
# With another fold as validation set: the model with the best loss on it.
BEST_LOSS = {
    "eval_strategy": "epoch",
    "save_strategy": "epoch",
    "load_best_model_at_end": True,
    "metric_for_best_model": "loss",
    "greater_is_better": False,
}


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


def trainer_arguments(by: TrainedBy, plan: Training | None) -> dict[str, Any]:
    """The arguments of its trainer that a run gives, and those that follow from whether it is validated."""
    given = {} if plan is None else plan.arguments
    validated = plan is not None and plan.validation is not None
    if by.validated_on == EPISODES and validated:
        # Checkpoints are chosen among those that were evaluated.
        when = "epoch" if given.get("eval_strategy") == "epoch" else "steps"
        return {"eval_strategy": when, "save_strategy": when, "load_best_model_at_end": True, **given}
    if by.validated_on == EXAMPLES and validated:
        return {"eval_strategy": "steps", "load_best_model_at_end": True, **given}
    if by.validated_on in (EPISODES, EXAMPLES):
        return dict(given)
    return {**(BEST_LOSS if validated else {"save_strategy": "no"}), **given}
