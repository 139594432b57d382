"""What a pretrained checkpoint has beside its encoder's layers, for methods that begin with it."""

from abc import ABC, abstractmethod

from torch import nn


class Checkpoint(ABC):
    """The parts of a checkpoint; they are read when they are asked for."""

    @abstractmethod
    def pooler(self) -> nn.Linear | None:
        """The layer between [CLS] and what classifiers read; None: the encoder has none."""

    @abstractmethod
    def next_sentence(self) -> nn.Linear:
        """The classifier of pre-training, "is next" and "is not"; a checkpoint without it is an error."""
