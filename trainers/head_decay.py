"""L2 regularisation of what a method adds to an encoder."""

from typing import Any

from transformers import TrainerCallback


class HeadDecay(TrainerCallback):
    """Adds a share of the method's own weights to their gradients, as Adam with `weight_decay` does in PyTorch.

    AdamW takes its decay off the weights instead, beside the gradient; the two are not the same.
    """

    def __init__(self, share: float) -> None:
        self.share = share

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        for parameter in kwargs["model"].method.parameters():
            # Threshold's number is no weight.
            if parameter.grad is not None and parameter.ndim:
                parameter.grad.add_(parameter.detach(), alpha=self.share)
