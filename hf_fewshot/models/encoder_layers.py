"""The layers of an encoder."""

from typing import Any

from torch import nn


def encoder_layers(encoder: Any, what: str) -> nn.ModuleList:
    """The one list of layers that an encoder has, from the lowest; `what` says in an error who needs it."""
    depth = getattr(encoder.config, "num_hidden_layers", None)
    stacks = [module for module in encoder.modules() if isinstance(module, nn.ModuleList) and len(module) == depth]
    if len(stacks) != 1:
        raise ValueError(
            f"Expected an encoder with one list of its {depth} layers, got {type(encoder).__name__}, which has "
            f"{len(stacks)}. Leave {what} out."
        )
    return stacks[0]
