"""A model without its weights, built from its configuration: what cannot be done with it shows before it is loaded."""

import json
from pathlib import Path
from typing import Any

import torch
from transformers import CONFIG_MAPPING, AutoConfig, PreTrainedModel

from hf_fewshot.models.loading import checked


def outline(kind: Any, folder: Path, what: str) -> PreTrainedModel:
    """The model that `kind` would load, without memory for its weights; ValueError says why it would not.

    Args:
        kind: a class such as `AutoModelForCausalLM`.
        folder: that holds the configuration, and the weights where they are there already.
        what: what such a model is, in words.
    """
    _require_kind(kind, folder, what)
    with checked(kind, folder):
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.device("meta"):
            return kind.from_config(config)


def _require_kind(kind: Any, folder: Path, what: str) -> None:
    """The library would name all configurations that it knows instead."""
    try:
        content = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError:
        return  # which is said in words when it is loaded
    name = content.get("model_type") if isinstance(content, dict) else None
    if isinstance(name, str) and name in CONFIG_MAPPING and CONFIG_MAPPING[name] not in kind._model_mapping:
        raise ValueError(f"It is a model of type {name!r}, but {what} is needed. Take another model.")
