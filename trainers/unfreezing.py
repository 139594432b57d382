"""Gradual unfreezing (Howard and Ruder, 2018, Section 3.3): groups of layers begin to learn one after the other."""

import logging
from typing import Any

import numpy as np
from torch import nn
from transformers import TrainerCallback

from hf_fewshot.models.encoder_layers import encoder_layers

logger = logging.getLogger(__name__)


def layer_groups(encoder: Any, n_groups: int) -> list[list[nn.Parameter]]:
    """The parameters of an encoder in groups of neighbouring layers, the topmost first.

    What stands before the layers, such as embeddings, is in the last group, what stands behind them in the first.
    """
    layers = encoder_layers(encoder, "Leave unfreezing_groups out.")
    if n_groups > len(layers):
        raise ValueError(f"unfreezing_groups={n_groups}, but the encoder has {len(layers)} layers. Lower it.")
    numbers = np.array_split(np.arange(len(layers))[::-1], n_groups)
    group = {id(p): place for place, own in enumerate(numbers) for n in own for p in layers[n].parameters()}
    groups: list[list[nn.Parameter]] = [[] for _ in range(n_groups)]
    reached = False
    for parameter in encoder.parameters():
        reached = reached or id(parameter) in group
        groups[group.get(id(parameter), 0 if reached else n_groups - 1)].append(parameter)
    return groups


class GradualUnfreezing(TrainerCallback):
    """In the first epoch what is above the encoder learns; each epoch after it releases a group of layers."""

    def __init__(self, groups: list[list[nn.Parameter]]) -> None:
        self.groups = groups

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.num_train_epochs <= len(self.groups):
            logger.warning(
                "unfreezing_groups=%d releases its last group after as many epochs, but the training ends in epoch "
                "%d: lower layers of the encoder do not learn.",
                len(self.groups),
                state.num_train_epochs,
            )

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        # A run that goes on in the middle of an epoch begins with a part of it behind.
        self._release(int(state.epoch))

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._release(len(self.groups))

    def _release(self, n_groups: int) -> None:
        for number, group in enumerate(self.groups):
            for parameter in group:
                parameter.requires_grad_(number < n_groups)
