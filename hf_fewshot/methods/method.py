"""What all methods share."""

import json
from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import nn

from hf_fewshot.methods.checkpoint import Checkpoint
from hf_fewshot.methods.training_data import TrainingData

# Labels of positions that only fill up a batch.
PADDING = -1
SIMILARITIES = ("l2", "dot", "cosine")


class EncoderMethod(nn.Module):
    """What stands on an encoder and scores queries by its vectors, which have `dim` numbers.

    `model` is the class of model it works in, as "module:Class"; `representation` how vectors must be read off.
    `version` is raised when the same options begin to mean another method: results of the earlier one are not its own.
    """

    model: ClassVar[str]
    representation: ClassVar[str] = "any"
    version: ClassVar[int] = 1

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    @classmethod
    def begins_with_data(cls) -> bool:
        """Whether training examples are needed before training, or before use without any."""
        return cls.begin is not EncoderMethod.begin

    def take(self, checkpoint: Checkpoint) -> None:
        """Takes starting values from the checkpoint of the encoder; by default there are none to take."""

    def begin(self, data: TrainingData) -> None:
        """Takes starting values from training examples; by default there are none to take."""


class Method(EncoderMethod):
    """Scores queries against a support set of vectors.

    Batches are padded; the leading dimension is episodes. `nota` says that the method has a score for
    none-of-the-above, which is then the last class; `by_piece` that it decodes all pieces of the words of a query, of
    which a word keeps the tag of its first.
    """

    model: ClassVar[str] = "hf_fewshot.models.few_shot_model:FewShotModel"
    nota: ClassVar[bool] = False
    by_piece: bool = False

    def transform(self, vectors: torch.Tensor) -> torch.Tensor:
        """What happens to an encoder's vectors (..., dim) before they are compared."""
        return vectors

    def forward(
        self, support: torch.Tensor, labels: torch.Tensor, query: torch.Tensor, n_classes: int
    ) -> torch.Tensor:
        """Scores of queries.

        Args:
            support: vectors (episodes, support, dim).
            labels: classes of them (episodes, support), PADDING where there is none.
            query: vectors (episodes, query, dim).
            n_classes: number of classes, none-of-the-above not counted.

        Returns:
            (episodes, query, n_classes), one more with none-of-the-above; -inf for a class without a support vector.
        """
        raise NotImplementedError

    def own_loss(self, support: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """What is added to the loss of the scores in training, from vectors as the encoder gives them; by default 0.

        Args:
            support: vectors (episodes, support, dim).
            labels: classes of them (episodes, support), PADDING where there is none.
        """
        return support.new_zeros(())

    def decode(self, scores: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """The classes of sequences of scores (sequences, length, classes) with the given true lengths."""
        return scores.argmax(-1)


def similarity(query: torch.Tensor, keys: torch.Tensor, kind: str) -> torch.Tensor:
    """(episodes, query, keys): the dot product, the cosine, or the negative squared Euclidean distance."""
    if kind == "cosine":
        query, keys = (nn.functional.normalize(vectors, dim=-1) for vectors in (query, keys))
    products = query @ keys.transpose(1, 2)
    if kind in ("dot", "cosine"):
        return products
    return 2 * products - query.square().sum(-1, keepdim=True) - keys.square().sum(-1).unsqueeze(1)


def is_supported(labels: torch.Tensor, support: torch.Tensor) -> torch.Tensor:
    """Where a label (episodes, ...) is one that a support of its episode has (episodes, ...); PADDING is none."""
    own, theirs = labels.flatten(1).clamp(min=PADDING) + 1, support.flatten(1) + 1
    n_classes = 1 + max(int(numbers.max()) if numbers.numel() else 0 for numbers in (own, theirs))
    present = torch.zeros(len(own), n_classes, dtype=torch.bool, device=own.device).scatter(1, theirs, True)
    return (present.gather(1, own) & (own > 0)).view_as(labels)


def require_similarity(kind: str, known: Sequence[str] = SIMILARITIES) -> str:
    """A similarity that exists."""
    if kind not in known:
        raise ValueError(f"similarity must be {' or '.join(map(json.dumps, known))}, but is {kind!r}.")
    return kind


def require_temperature(temperature: float) -> float:
    """A positive temperature.

    Squared distances of wide vectors are large; divided by 10 or 20 they train better. Predictions do not depend on
    it, except StructShot's, which weighs transitions against scores. The papers divide by nothing: 1.
    """
    if temperature <= 0:
        raise ValueError(f"temperature must be positive, but is {temperature}.")
    return temperature
