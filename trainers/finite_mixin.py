"""Stops training that came to nothing, before anything of it is saved."""

from typing import Any

import torch
from transformers import TrainerCallback

from hf_fewshot.models.finite import diverged, require_finite


class FiniteWeights(TrainerCallback):
    """Looks at the weights before they are evaluated or saved, and at the end."""

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._look(state, control, kwargs["model"])

    def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._look(state, control, kwargs["model"])

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        require_finite(kwargs["model"], f" after step {state.global_step}")

    @staticmethod
    def _look(state: Any, control: Any, model: Any) -> None:
        if control.should_evaluate or control.should_save:
            require_finite(model, f" after step {state.global_step}")


class FiniteMixin:
    """Makes a trainer stop with an error when the loss is NaN or infinite, or its weights are.

    `transformers` goes on, and by default leaves such losses out of its log.
    """

    args: Any
    state: Any
    accelerator: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.add_callback(FiniteWeights())  # type: ignore[attr-defined]

    def training_step(self, *arguments: Any, **options: Any) -> torch.Tensor:
        """A step; its loss must be a number in all processes, so that all of them stop together."""
        loss = super().training_step(*arguments, **options)  # type: ignore[misc]
        # With float16 a loss may overflow; the step is then left out and the scale lowered.
        if self.args.fp16:
            return loss
        total = loss if self.accelerator.num_processes == 1 else self.accelerator.reduce(loss.detach().clone(), "sum")
        if not total.isfinite():
            step, rate = self.state.global_step + 1, self.args.learning_rate
            raise ValueError(diverged(f"the loss is {float(total)} at step {step} (learning_rate={rate})"))
        return loss
