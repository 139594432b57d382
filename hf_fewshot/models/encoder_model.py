"""An encoder and something on top of it, saved and loaded as one `transformers` model."""

from pathlib import Path
from typing import Any

from torch import nn
from transformers import AutoModel, PreTrainedModel

from hf_fewshot.models.encoder_config import EncoderModelConfig
from hf_fewshot.models.loading import SAFELY, checked, load_model

IGNORED = -100


class EncoderModel(PreTrainedModel):
    """Base of all models here: `encoder` is any encoder of the Hub or a folder.

    `from_encoder` of a subclass puts something new on an encoder; `from_pretrained` loads what `save_pretrained`
    wrote.
    """

    config_class = EncoderModelConfig
    config: Any
    base_model_prefix = "encoder"
    supports_gradient_checkpointing = True
    _supports_sdpa = True
    _supports_flash_attn = True

    def __init__(self, config: Any, encoder: PreTrainedModel | None = None) -> None:
        super().__init__(config)
        self.encoder = AutoModel.from_config(config.encoder) if encoder is None else encoder
        check_positions(self.encoder, config.max_length)

    def _init_weights(self, module: nn.Module) -> None:
        # The parts initialise themselves; a loaded encoder must keep its weights.
        return

    @property
    def has_segments(self) -> bool:
        """Whether the encoder tells two sentences of a sequence apart."""
        return (getattr(self.encoder.config, "type_vocab_size", None) or 0) > 1

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path: Any, *args: Any, **kwargs: Any) -> Any:
        """A saved model. Weights that do not belong to it are an error: they would stay without a value."""
        with_info = kwargs.pop("output_loading_info", False)
        kwargs = {**SAFELY, **kwargs, "output_loading_info": True, "ignore_mismatched_sizes": True}
        with checked(cls, pretrained_model_name_or_path, kwargs.get("subfolder", "")):
            loaded: Any = super().from_pretrained(pretrained_model_name_or_path, *args, **kwargs)
        model, info = loaded
        problems = [
            f"{kind} {', '.join(sorted(str(key[0] if isinstance(key, tuple) else key) for key in info[keys]))}"
            for kind, keys in (
                ("missing", "missing_keys"),
                ("unexpected", "unexpected_keys"),
                ("of another size", "mismatched_keys"),
            )
            if info[keys]
        ]
        if problems:
            raise ValueError(
                f"The weights in {pretrained_model_name_or_path} are not those of {model.config.owner_of_weights()}: "
                f"{'; '.join(problems)}. Load the model with {model.config.SAVED_WITH} it was saved with."
            )
        return (model, info) if with_info else model


def load_encoder(name_or_path: str | Path) -> PreTrainedModel:
    """An encoder without anything on top of it."""
    encoder: PreTrainedModel = load_model(AutoModel, name_or_path)
    return encoder


def config_within(encoder: PreTrainedModel) -> dict[str, Any]:
    """The configuration of an encoder for that of a model on top of it."""
    # A copy: a sub-configuration loses the attention implementation that the encoder was loaded with.
    return {name: value for name, value in encoder.config.to_dict().items() if name != "_name_or_path"}


def n_positions(model: PreTrainedModel) -> int | None:
    """How many positions a model has; None: any number."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is None:
        return None
    # RoBERTa counts positions from the one after padding.
    return int(positions) - getattr(getattr(model.base_model, "embeddings", None), "padding_idx", -1) - 1


def check_positions(model: PreTrainedModel, max_length: int) -> None:
    """Refuses sequences that are longer than the model has positions for."""
    positions = n_positions(model)
    if positions is not None and max_length > positions:
        raise ValueError(f"max_length={max_length}, but the model has {positions} positions. Lower max_length.")
