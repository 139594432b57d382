"""Encoders compiled by `torch.compile`: what stands on them, and their weights' names, stay as they are."""

from typing import Any

from accelerate import Accelerator
from accelerate.utils import DynamoBackend


def compile_encoder(model: Any, backend: str, mode: str | None = None) -> None:
    """Compiles the encoder of a model, in place; one that is compiled already stays so."""
    encoder = model.base_model
    if encoder._compiled_call_impl is None:
        encoder.compile(backend=backend, mode=mode)


def compile_as_launched(model: Any, accelerator: Accelerator) -> None:
    """Compiles the encoder of a model where `accelerate launch --dynamo_backend` asked for it."""
    plugin = accelerator.state.dynamo_plugin
    if plugin.backend != DynamoBackend.NO:
        compile_encoder(model, plugin.backend.value.lower(), plugin.mode)
