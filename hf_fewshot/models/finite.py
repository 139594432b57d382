"""Weights that are numbers: what training made NaN or infinite is not kept."""

from torch import nn


def require_finite(model: nn.Module, said: str = "") -> None:
    """Refuses a model with a parameter that is NaN or infinite; `said` is what is known of how it came to that."""
    for name, parameter in model.named_parameters():
        # A sum is one pass without a copy; only where it overflowed are the values looked at one by one.
        if not parameter.detach().sum().isfinite() and not parameter.detach().isfinite().all():
            raise ValueError(diverged(f"the weights are not finite numbers ({name}){said}"))


def diverged(what: str) -> str:
    """The sentence for training that came to nothing."""
    return (
        f"Training came to nothing: {what}. The model is not kept. Lower learning_rate, raise warmup_steps, or limit "
        "gradients with max_grad_norm."
    )
