"""A model and methods as a user might write them, outside the library."""

import torch

from hf_fewshot.methods.method import Method
from hf_fewshot.methods.prototypes import Prototypes
from hf_fewshot.models.few_shot_model import FewShotModel


class LoudModel(FewShotModel):
    """A few-shot model whose vectors are twice as long."""

    def read_rows(self, hidden, sequence, positions):
        return 2 * super().read_rows(hidden, sequence, positions)


class Centred(Prototypes):
    """Prototypes of vectors less the mean of training examples."""

    representation = "mean"

    def __init__(self, dim):
        super().__init__(dim)
        self.register_buffer("centre", torch.zeros(dim))

    def begin(self, data):
        drawn = data.drawn(4)
        self.names = drawn["label"][:]
        self.centre.copy_(data.vectors(drawn).mean(0))

    def transform(self, vectors):
        return vectors - self.centre


class OfLoudModels(Method):
    """A method that says which model of one's own it works in."""

    model = "tests.models.own_parts:LoudModel"
