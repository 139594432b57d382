"""The configuration of a few-shot model, and what it shares with those of other models on an encoder."""

from typing import Any, ClassVar

from huggingface_hub.dataclasses import strict
from transformers import AutoConfig, PreTrainedConfig
from transformers.configuration_utils import SubConfigSpec


class OtherModelError(ValueError):
    """The files are those of a model of another type."""


@strict
class EncoderModelConfig(PreTrainedConfig):
    """The configuration of a model that is an encoder and something on top of it."""

    sub_configs_defaults = {"encoder": SubConfigSpec(config_class=AutoConfig, model_type="bert")}  # noqa: RUF012

    encoder: Any = None

    # What the model is, and how to have one instead of a model of another type.
    KIND: ClassVar[str]
    REMEDY: ClassVar[str]

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **kwargs: Any) -> Any:
        """The configuration of a saved model of this type; any other model is an error."""
        kind = config_dict.get("model_type", cls.model_type)
        if kind != cls.model_type:
            raise OtherModelError(f"This is a model of type {kind!r}, not {cls.KIND}. {cls.REMEDY}")
        return super().from_dict(config_dict, **kwargs)


@strict
class FewShotModelConfig(EncoderModelConfig):
    """What it takes to build the model: the encoder's configuration, the method, and how vectors are read off.

    `representation` is "words", "mean", "markers" or "pair"; `layers` is how many of the last layers are added up
    (Few-NERD: 4); `dropout` falls on the vectors in training (Few-NERD: 0.5).
    """

    model_type = "hf_fewshot"

    method: str = "proto"
    method_options: dict | None = None
    representation: str = "words"
    layers: int = 1
    max_length: int = 128
    dropout: float = 0.0

    # What subclasses add to the above.
    OWN_OPTIONS: ClassVar[tuple[str, ...]] = ()
    KIND: ClassVar[str] = "a few-shot model"
    REMEDY: ClassVar[str] = "Use FewShotModel.from_encoder(name_or_path, method) to put a method on an encoder."
