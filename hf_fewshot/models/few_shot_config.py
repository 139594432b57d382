"""The configuration of a few-shot model."""

from typing import Any, ClassVar

from huggingface_hub.dataclasses import strict
from transformers import AutoConfig, PreTrainedConfig
from transformers.configuration_utils import SubConfigSpec


@strict
class FewShotModelConfig(PreTrainedConfig):
    """What it takes to build the model: the encoder's configuration, the method, and how vectors are read off.

    `representation` is "words", "mean", "markers" or "pair"; `layers` is how many of the last layers are added up
    (Few-NERD: 4); `dropout` falls on the vectors in training (Few-NERD: 0.5).
    """

    model_type = "hf_fewshot"
    sub_configs_defaults = {"encoder": SubConfigSpec(config_class=AutoConfig, model_type="bert")}  # noqa: RUF012

    encoder: Any = None
    method: str = "proto"
    method_options: dict | None = None
    representation: str = "words"
    layers: int = 1
    max_length: int = 128
    dropout: float = 0.0

    # What subclasses add to the above.
    OWN_OPTIONS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **kwargs: Any) -> Any:
        """The configuration of a saved few-shot model; any other model is an error."""
        kind = config_dict.get("model_type", cls.model_type)
        if kind != cls.model_type:
            raise ValueError(
                f"This is a model of type {kind!r}, not a few-shot model. "
                "Use FewShotModel.from_encoder(name_or_path, method) to put a method on an encoder."
            )
        return super().from_dict(config_dict, **kwargs)
