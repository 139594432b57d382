"""The layers of an encoder."""

from typing import Any

from torch import nn


def encoder_layers(encoder: Any, remedy: str) -> nn.ModuleList:
    """The one list of layers that an encoder has, from the lowest; where it has none, an error says what to do."""
    depth = getattr(encoder.config, "num_hidden_layers", None)
    stacks = [module for module in encoder.modules() if isinstance(module, nn.ModuleList) and len(module) == depth]
    if len(stacks) != 1:
        raise ValueError(
            f"Expected an encoder with one list of its {depth} layers, got {type(encoder).__name__}, which has "
            f"{len(stacks)}. {remedy}"
        )
    return stacks[0]
