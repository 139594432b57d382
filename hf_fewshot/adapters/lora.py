"""LoRA adapters of language models, made and read by `peft`."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers.pytorch_utils import Conv1D

from hf_fewshot.episodes.options import require_whole

WEIGHTS = "adapter_model.safetensors"


@dataclass(frozen=True)
class Lora:
    """What is learned: low-rank matrices beside those of the model, which stays as it is (Hu et al. 2021).

    Args:
        rank: of the matrices.
        alpha: what they add is multiplied by alpha / rank.
        dropout: on what they read.
        modules: names of the layers that get them; none: all linear layers but the last one.
    """

    rank: int = 16
    alpha: float = 32.0
    dropout: float = 0.0
    modules: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        require_whole(rank=self.rank)
        if self.alpha <= 0:
            raise ValueError(f"alpha={self.alpha}, but it must be above 0: nothing would be learned.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout={self.dropout}, but it must be from 0 to below 1.")
        if self.modules is not None and not self.modules:
            raise ValueError("modules is empty: nothing would be learned. Name layers, or leave it out for all.")


def require_peft() -> None:
    """Says how to install what adapters need."""
    if importlib.util.find_spec("peft") is None:
        raise ModuleNotFoundError("Tuning a language model needs peft: pip install 'hf_fewshot[tuning]'.")


def with_adapter(model: Any, lora: Lora, *, seed: int) -> Any:
    """The model with a new adapter, which changes nothing yet; only the adapter learns."""
    require_peft()
    from peft import LoraConfig, get_peft_model

    options: dict[str, Any] = {
        "r": lora.rank,
        "lora_alpha": lora.alpha,
        "lora_dropout": lora.dropout,
        "target_modules": "all-linear" if lora.modules is None else list(lora.modules),
        # How GPT-2 keeps the weights of its layers.
        "fan_in_fan_out": any(isinstance(module, Conv1D) for module in model.modules()),
    }
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **options))


def save_adapter(model: Any, folder: str | Path, base: str) -> None:
    """Saves the adapter of a model alone.

    Args:
        base: the name of the model; of a folder the last part is kept, and not its place on this machine.
    """
    model.active_peft_config.base_model_name_or_path = Path(base).name if Path(base).is_dir() else base
    # Otherwise the Hub is asked whether the vocabulary is still that of the model.
    model.save_pretrained(folder, save_embedding_layers=False)
    (Path(folder) / "README.md").unlink()  # a form with nothing filled in


def load_adapter(model: Any, folder: str | Path) -> Any:
    """The model with a saved adapter merged into its weights: as fast as before, and of its own class.

    Args:
        model: that the adapter was trained on.
        folder: of the adapter, or its name on the Hub.
    """
    require_peft()
    from peft import PeftModel

    if Path(folder).is_dir() and not (Path(folder) / WEIGHTS).is_file():
        raise ValueError(f"The folder {str(folder)!r} has no adapter: expected {WEIGHTS}. Give that of a tuned model.")
    adapted: Any = PeftModel.from_pretrained(model, folder, use_safetensors=True)
    return adapted.merge_and_unload()
