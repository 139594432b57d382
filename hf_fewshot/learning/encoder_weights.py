"""The weights of an encoder before it is tuned."""

import torch
from torch import nn

from hf_fewshot.models.few_shot_model import FewShotModel


class EncoderWeights:
    """A copy of what tuning changes: all but the word embeddings."""

    def __init__(self, model: FewShotModel | None) -> None:
        self.kept = {} if model is None else {name: w.detach().clone() for name, w in _tuned(model).items()}

    @torch.no_grad()
    def restore(self, model: FewShotModel) -> None:
        """Gives the model these weights again."""
        for name, weight in _tuned(model).items():
            weight.copy_(self.kept[name])


def _tuned(model: FewShotModel) -> dict[str, nn.Parameter]:
    fixed = model.encoder.get_input_embeddings().weight
    return {name: weight for name, weight in model.encoder.named_parameters() if weight is not fixed}
