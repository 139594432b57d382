"""Steps without what the Trainer computes in each of them for its log alone."""

from functools import cached_property
from typing import Any

import torch
from transformers import IntervalStrategy


class LeanStepMixin:
    """Makes a trainer compute what only its log and its state show when they show it, or once.

    With the small batches of few-shot learning it would be several hundredths of a step.
    """

    args: Any
    state: Any
    model: Any

    @cached_property
    def _n_parameters(self) -> int:
        """The parameters that are no embeddings; counting them walks over all modules."""
        count = getattr(self.model, "num_parameters", None)
        return 0 if count is None else count(exclude_embeddings=True)

    def floating_point_ops(self, inputs: dict[str, Any]) -> int:
        """Of forward and backward pass, as `transformers` estimates them."""
        main = getattr(self.model, "main_input_name", "input_ids")
        return 6 * inputs[main].numel() * self._n_parameters if main in inputs else 0

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> torch.Tensor | float | None:
        """The norm of the gradients; where nothing is clipped by it, of steps that are logged alone."""
        if grad_norm is None and not self._is_logged(self.state.global_step + 1):
            return None
        return super()._get_grad_norm(model, grad_norm)  # type: ignore[misc]

    def _is_logged(self, step: int) -> bool:
        if self.args.logging_strategy != IntervalStrategy.STEPS:
            # The last step of an epoch is not known before it ends.
            return self.args.logging_strategy == IntervalStrategy.EPOCH
        return step % self.state.logging_steps == 0 or (step == 1 and self.args.logging_first_step)
