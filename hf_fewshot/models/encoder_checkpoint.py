"""The checkpoint that an encoder was loaded from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn
from transformers import MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING, AutoModelForNextSentencePrediction

from hf_fewshot.methods.checkpoint import Checkpoint
from hf_fewshot.models.loading import load_model


@dataclass(frozen=True)
class EncoderCheckpoint(Checkpoint):
    """A name or folder, and the encoder that was loaded from it."""

    name_or_path: str | Path
    encoder: Any

    def pooler(self) -> nn.Linear | None:
        found = getattr(self.encoder, "pooler", None)
        layer = getattr(found, "dense", found)
        return layer if isinstance(layer, nn.Linear) else None

    def next_sentence(self) -> nn.Linear:
        if type(self.encoder.config) not in MODEL_FOR_NEXT_SENTENCE_PREDICTION_MAPPING:
            raise ValueError(self._without("models of its type are not pre-trained with one"))
        model, info = load_model(AutoModelForNextSentencePrediction, self.name_or_path, output_loading_info=True)
        missing = sorted(info["missing_keys"])
        if missing:
            raise ValueError(self._without(f"it lacks {', '.join(missing)}"))
        heads = [own for own in model.cls.modules() if isinstance(own, nn.Linear) and own.out_features == 2]
        return heads[-1]

    def _without(self, why: str) -> str:
        return (
            f"{str(self.name_or_path)!r} has no next-sentence classifier: {why}. Use a checkpoint that has, such as "
            "bert-base-cased, or head='new'."
        )
