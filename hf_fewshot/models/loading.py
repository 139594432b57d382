"""Loads models and tokenizers of strangers: whatever is wrong with their files is an error in words.

No code of a model is run and no pickle is read. Sizes that a configuration asks for are compared with the weights that
are there before memory is taken for them.
"""

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase

from hf_fewshot.embedded import model_place
from hf_fewshot.files.model_files import model_json
from hf_fewshot.model_names import refuse_misspelt
from hf_fewshot.models.encoder_config import OtherModelError
from hf_fewshot.progress import stage
from hf_fewshot.text.visible import visible

SAFELY: dict[str, Any] = {"use_safetensors": True, "trust_remote_code": False}
WEIGHTS = "*.safetensors"
# Encoders share layers (ALBERT) and repeat them, but not thousands of times.
MAX_LAYERS = 1000
# A model may have weights that its files do not have: heads that are new, embeddings that are shared.
MAX_RATIO, SLACK = 4, 1 << 26
MAX_HEADER = 100 << 20
SETTINGS = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


def load_model(kind: Any, name_or_path: str | Path, **options: Any) -> Any:
    """`kind.from_pretrained(name_or_path, **options)`, with the errors of damaged files in words."""
    name_or_path = _place(name_or_path)
    with checked(kind, name_or_path, options.get("subfolder", "")), stage("loading the model"):
        return kind.from_pretrained(name_or_path, **SAFELY, **options)


def load_tokenizer(name_or_path: str | Path, representation: str | None = None) -> PreTrainedTokenizerBase:
    """The tokenizer of an encoder, ready for text that is already split into words, or for whole texts.

    Args:
        representation: how the encoder will be used; none: as the model says that it is the tokenizer of.
    """
    name_or_path = _place(name_or_path)
    with _explained(name_or_path, "tokenizer"):
        _require_plain_names(Path(name_or_path))
        tokenizer = AutoTokenizer.from_pretrained(name_or_path, trust_remote_code=False)
        in_words = not _reads_texts(name_or_path, representation)
        if in_words and getattr(tokenizer, "add_prefix_space", None) is False:
            # Byte-level vocabularies tell the beginning of a word by the space before it.
            tokenizer = AutoTokenizer.from_pretrained(name_or_path, trust_remote_code=False, add_prefix_space=True)
        if tokenizer.get_vocab().keys() <= {*tokenizer.all_special_tokens}:
            # Without files the library makes one up, to which all words are unknown.
            raise ValueError("its vocabulary has no words")
        # Some damage shows only in use.
        tokenizer([["a"] if in_words else "a"], is_split_into_words=in_words, add_special_tokens=False, verbose=False)
        return tokenizer


def _place(name_or_path: str | Path) -> str:
    refuse_misspelt(str(name_or_path))
    return model_place(name_or_path)


def _reads_texts(name_or_path: str | Path, representation: str | None) -> bool:
    if representation is None:
        config = model_json(name_or_path, "config.json")
        representation = config.get("representation") if isinstance(config, dict) else None
    return representation == "sentence"


@contextmanager
def checked(kind: Any, name_or_path: str | Path, subfolder: str = "") -> Iterator[None]:
    """Around the loading of a model: looks at its files first, and puts what goes wrong into words."""
    with _explained(name_or_path, "model"):
        require_plausible(kind, Path(name_or_path) / subfolder)
        yield


@contextmanager
def _explained(name_or_path: str | Path, what: str) -> Iterator[None]:
    """Errors inside, of whatever kind, become a ValueError that names the files."""
    try:
        yield
    except (OtherModelError, ImportError):
        raise
    # Libraries meet a file that is not what they expect with any error there is, down to a bare Exception and, from
    # Rust, to a panic that is not even one.
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"
        if not (isinstance(error, Exception) or is_panic) or (isinstance(error, OSError) and str(error)):
            raise
        said = " ".join(str(error).split())[:500].rstrip(".") or "no reason given"
        raise ValueError(
            f"The {what} {str(name_or_path)!r} cannot be loaded: {said} ({type(error).__name__}). Its files are "
            "damaged or not what was asked for; get them again, or choose another model."
        ) from error


def require_plausible(kind: Any, folder: Path) -> None:
    """Refuses a folder whose configuration asks for much larger weights than are there."""
    files = sorted(folder.glob(WEIGHTS))
    if not files:  # a name on the Hub, or an error that the library tells better
        return
    tensors = [tensor for file in files for tensor in _header(file)]
    config = getattr(kind, "config_class", AutoConfig).from_pretrained(folder, trust_remote_code=False)
    for one in (config, getattr(config, "encoder", None)):
        layers = getattr(one, "num_hidden_layers", 0)
        if isinstance(layers, int) and layers > max(MAX_LAYERS, len(tensors)):
            raise ValueError(
                f"config.json says num_hidden_layers={layers}, but the weights are {len(tensors)} tensors"
            )
    with torch.device("meta"):  # shapes without memory
        model = kind.from_config(config) if hasattr(kind, "from_config") else kind(config)
    asked, there = sum(parameter.numel() for parameter in model.parameters()), sum(tensors)
    if asked > MAX_RATIO * there + SLACK:
        raise ValueError(f"config.json asks for {asked:,} weights, but only {there:,} are there")


def _require_plain_names(folder: Path) -> None:
    """Refuses settings whose names hold control characters: a library prints those it does not know as they are."""
    found: list[Any] = []
    for name in SETTINGS:
        if (folder / name).is_file():
            content = json.loads((folder / name).read_text(encoding="utf-8"))
            # Words of a vocabulary may be anything, and are not printed.
            found.append(content.get("added_tokens") if name == "tokenizer.json" else content)
    while found:
        one = found.pop()
        found += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        for name in one if isinstance(one, dict) else ():
            if not name.isprintable():
                raise ValueError(f"its settings have the name {visible(name)}")


def _header(file: Path) -> list[int]:
    """How many numbers each tensor of a file of weights has; the file must be as long as its header says."""
    size = file.stat().st_size
    with file.open("rb") as opened:
        start = opened.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 0 < length <= min(size - 8, MAX_HEADER):
            raise ValueError(f"{file.name} is no file of weights, or cut off: {size} bytes")
        header = json.loads(opened.read(length))
    entries = [entry for name, entry in header.items() if name != "__metadata__"]
    end = max((entry["data_offsets"][1] for entry in entries), default=0)
    if 8 + length + end > size:
        raise ValueError(f"{file.name} is cut off: {size} bytes of {8 + length + end}")
    return [prod(entry["shape"]) for entry in entries]
