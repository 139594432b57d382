"""L2 regularisation of what a method adds to an encoder."""

from typing import Any

from transformers import TrainerCallback


class HeadDecay(TrainerCallback):
    """Adds what `factor * sum of squared weights` in the loss would add to the gradients: `2 * factor * weight`.

    AdamW takes its decay off the weights instead, beside the gradient; the two are not the same.
    """

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        for parameter in kwargs["model"].method.parameters():
            # Threshold's number is no weight.
            if parameter.grad is not None and parameter.ndim:
                parameter.grad.add_(parameter.detach(), alpha=2 * self.factor)
