"""An encoder of words: of the Hub, embedded, or part of a trained model."""

from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerBase

from hf_fewshot.embedded import ENCODERS, embedded_encoder
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.models.few_shot_model import FewShotModel, FewShotModelConfig
from hf_fewshot.models.loading import load_tokenizer

METHOD = "nnshot"  # it has no weights of its own


def word_encoder(name: str, *, layers: int = 1) -> tuple[FewShotModel, PreTrainedTokenizerBase]:
    """A model that gives a vector for each word, and its tokenizer.

    Args:
        name: that of an embedded encoder, an id on the Hub, or a folder: of an encoder, of a token classifier
            (BERT-Tagger), whose head is left out, or of a `FewShotModel`.
        layers: how many of the last layers are summed; a `FewShotModel` keeps its own.
    """
    folder = Path(embedded_encoder(name)) if name in ENCODERS else Path(name)
    if _model_type(folder) == FewShotModelConfig.model_type:
        model = FewShotModel.from_pretrained(folder)
        if model.config.representation != "words":
            raise ValueError(f"{name} gives vectors of {model.config.representation}, not of words. Give a tagger.")
        return model, load_tokenizer(folder)
    place = folder if folder.is_dir() else name
    return FewShotModel.from_encoder(place, METHOD, representation="words", layers=layers)


def _model_type(folder: Path) -> Any:
    path = folder / "config.json"
    content = strict_json(path.read_bytes()) if path.is_file() else {}
    return content.get("model_type") if isinstance(content, dict) else None
