"""What the configurations of all models on an encoder share."""

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

    # What the model is, how to have one instead of a model of another type, and what it is saved with.
    KIND: ClassVar[str]
    REMEDY: ClassVar[str]
    SAVED_WITH: ClassVar[str] = "the options"

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **kwargs: Any) -> Any:
        """The configuration of a saved model of this type; any other model is an error."""
        kind = config_dict.get("model_type", cls.model_type)
        if kind != cls.model_type:
            raise OtherModelError(f"This is a model of type {kind!r}, not {cls.KIND}. {cls.REMEDY}")
        return super().from_dict(config_dict, **kwargs)

    def owner_of_weights(self) -> str:
        """What the weights of such a model are those of, in words."""
        return self.KIND


@strict
class MethodModelConfig(EncoderModelConfig):
    """What it takes to build an encoder with a method: both, and how vectors are read off.

    `representation` is "words", "mean", "sentence", "markers" or "pair"; `layers` is how many of the last layers are
    added up (Few-NERD: 4); `dropout` falls on the vectors in training (Few-NERD: 0.5). `pooling` is how the encoder
    itself makes a vector of a text, for "sentence" (see `SentencePooling`).
    """

    method: str = "proto"
    method_options: dict | None = None
    representation: str = "words"
    layers: int = 1
    max_length: int = 128
    dropout: float = 0.0
    pooling: dict | None = None

    # What subclasses add to the above.
    OWN_OPTIONS: ClassVar[tuple[str, ...]] = ()
    SAVED_WITH: ClassVar[str] = "the method and options"

    def to_dict(self) -> dict[str, Any]:
        """What is saved; models that do not read whole texts say nothing of pooling."""
        content = super().to_dict()
        if content.get("pooling") is None:
            content.pop("pooling", None)
        return content

    def owner_of_weights(self) -> str:
        return f"method {self.method!r} with options {self.method_options}"
