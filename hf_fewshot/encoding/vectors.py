"""The vectors of examples, computed once and kept.

The key of a kept file covers the weights, the tokenizer, the options and the text, so it can never be out of date;
the file can be deleted at any time. It appears under its final name when it is complete, and is checked when opened.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list, gather_object
from huggingface_hub import constants
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.compiled import compile_as_launched
from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.evaluation_mode import evaluation_mode
from hf_fewshot.encoding.inputs import InputBuilder, Inputs, batches, padded, words_of
from hf_fewshot.encoding.sentence_pooling import SentencePooling
from hf_fewshot.encoding.vector_folder import FILE, begin, discard_damaged, put_in_place
from hf_fewshot.encoding.whole_texts import text_of
from hf_fewshot.progress import bar

TOKENS_PER_BATCH = 4096
# What the configuration of an encoder says beside what it computes.
NOT_IN_KEY = ("_name_or_path", "architectures", "dtype", "transformers_version")
# Larger tables go to a memory-mapped file.
MAX_BYTES_IN_MEMORY = 1 << 30


def cache_folder() -> Path:
    """Where vectors are kept unless another folder is given."""
    return Path(constants.HF_HOME) / "hf_fewshot" / "vectors"


class VectorModel(Protocol):
    """What is asked of a model that encodes examples, as `MethodModel` is one."""

    config: Any
    encoder: Any
    method: Any
    pooling: SentencePooling | None
    training: bool

    @property
    def device(self) -> torch.device: ...

    @property
    def to(self) -> Any: ...  # a method, which `transformers` wraps in a type of its own

    def train(self, mode: bool = True) -> Any: ...

    def encode(self, inputs: EncoderInputs) -> torch.Tensor: ...


class Vectors:
    """Vectors (rows, dim) of a list of examples, and where those of each example begin."""

    def __init__(self, values: np.ndarray, offsets: np.ndarray) -> None:
        self.values = values
        self.offsets = offsets

    def take(self, rows: np.ndarray) -> torch.Tensor:
        """Some rows as float32."""
        return torch.from_numpy(np.asarray(self.values[rows], dtype=np.float32))


@contextmanager
def evaluating(model: VectorModel, device: torch.device) -> Iterator[None]:
    """The model without dropout on a device."""
    with evaluation_mode(model):
        # Weights that are moved in inference mode could never be trained again.
        with torch.inference_mode(False):
            model.to(device)
        yield


def encode_examples(
    model: VectorModel,
    tokenizer: PreTrainedTokenizerBase,
    examples: Sequence[dict[str, Any]],
    *,
    accelerator: Accelerator | None = None,
    cache_dir: str | Path | None = None,
    dtype: str = "float32",
    progress: bool = True,
    alone: bool = False,
    representation: str | None = None,
) -> Vectors:
    """Encodes each example once, longest first, in batches of equal work.

    The vectors are read off as the model's representation says, or another one that is given. They stay in memory if
    they are few and there is one process, and go to `cache_dir` (default: the Hugging Face cache) otherwise, or if
    `cache_dir` is given. With several processes each encodes a part; `alone`, a process encodes all of its examples in
    memory, whatever the others do.
    """
    accelerator = accelerator or Accelerator()
    config = model.config
    read_off = representation or config.representation
    inputs = InputBuilder(tokenizer, read_off, config.max_length, model.pooling)(examples)
    n_rows = len(inputs.row_sequence)
    shape = (n_rows, model.method.dim)
    small = n_rows * model.method.dim * np.dtype(dtype).itemsize <= MAX_BYTES_IN_MEMORY
    if alone or (cache_dir is None and small and accelerator.num_processes == 1):
        values = np.empty(shape, dtype=dtype)
        _encode(model, inputs, values, tokenizer.pad_token_id, accelerator, progress, (0, 1))
        return Vectors(values, inputs.offsets)
    name = key(model, tokenizer, examples, dtype, accelerator.mixed_precision, representation)
    folder = Path(cache_dir or cache_folder()) / name
    missing = [True]
    if accelerator.is_main_process:
        discard_damaged(folder, shape, dtype)
        missing = [not folder.is_dir()]
    # One process decides for all: another run may put the folder in place at any moment.
    if broadcast_object_list(missing)[0]:
        _encode_to(folder, model, inputs, shape, dtype, tokenizer.pad_token_id, accelerator, progress)
    return Vectors(np.load(folder / FILE, mmap_mode="r"), inputs.offsets)


def fingerprint(module: torch.nn.Module, model: VectorModel, tokenizer: PreTrainedTokenizerBase) -> str:
    """A hash over the weights of `module` (the model or its encoder), the tokenizer and how vectors are read off."""
    digest = hashlib.sha256()
    hash_weights(digest, module)
    encoder = {k: v for k, v in model.config.encoder.to_dict().items() if k not in NOT_IN_KEY}
    options = [encoder, model.config.representation, model.config.layers, model.config.max_length]
    if model.pooling is not None:
        options.append(asdict(model.pooling))
    digest.update(json.dumps(options, default=str, sort_keys=True).encode())
    digest.update(tokenizer_state(tokenizer))
    return digest.hexdigest()


def hash_weights(digest: Any, module: torch.nn.Module) -> None:
    """Adds names, shapes and values of all weights to a hash."""
    for name, weight in module.state_dict().items():
        digest.update(f"{name} {weight.dtype} {tuple(weight.shape)}".encode())
        digest.update(weight.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())


def tokenizer_state(tokenizer: PreTrainedTokenizerBase) -> bytes:
    """All that decides how text is cut into pieces."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        state = [sorted(tokenizer.get_vocab().items()), getattr(tokenizer, "init_kwargs", {})]
        return json.dumps(state, default=str, sort_keys=True).encode()
    return _ordered(backend.to_str())


@lru_cache(maxsize=2)  # it is asked several times in a run, and the same in the next
def _ordered(tokenizer: str) -> bytes:
    """The JSON of a tokenizer in one order, without padding and truncation, which the last call leaves behind."""
    state = {name: value for name, value in json.loads(tokenizer).items() if name not in ("padding", "truncation")}
    return json.dumps(state, default=str, sort_keys=True).encode()


def key(
    model: VectorModel,
    tokenizer: PreTrainedTokenizerBase,
    examples: Sequence[dict[str, Any]],
    dtype: str,
    precision: str = "no",
    representation: str | None = None,
) -> str:
    """A hash over all that the vectors depend on."""
    read_off = f" {representation}" if representation else ""  # else the fingerprint has it
    digest = hashlib.sha256(f"{fingerprint(model.encoder, model, tokenizer)} {dtype} {precision}{read_off}".encode())
    entities = ("head", "tail") if model.config.representation == "markers" else ()
    for example in examples:
        mentions = [example[side]["mentions"][0] for side in entities]
        read = text_of(example) if model.config.representation == "sentence" else words_of(example)
        digest.update(json.dumps([read, mentions], ensure_ascii=False).encode())
    return digest.hexdigest()[:40]


def _encode_to(
    folder: Path,
    model: VectorModel,
    inputs: Inputs,
    shape: tuple[int, int],
    dtype: str,
    padding: int,
    accelerator: Any,
    progress: bool,
) -> None:
    """All processes write their parts of one memory-mapped file; the main process puts it in place."""
    begun: list[Any] = ["", None]
    with ExitStack() as stack:
        if accelerator.is_main_process:
            try:
                begun = [str(stack.enter_context(begin(folder, shape, dtype))), None]
            except OSError as error:
                begun = ["", error]
        # The others must not wait for a file that there is no space for.
        path, refused = broadcast_object_list(begun)
        if refused is not None:
            raise refused
        work = Path(path)
        values = np.load(work / FILE, mmap_mode="r+")
        problem = ""
        try:
            part = (accelerator.process_index, accelerator.num_processes)
            _encode(model, inputs, values, padding, accelerator, progress, part)
        except ValueError as error:
            problem = str(error)
        values.flush()
        # Damaged weights show in the process that meets them first; the others must not wait for it.
        for message in filter(None, gather_object([problem])):
            raise ValueError(message)
        if accelerator.is_main_process:
            put_in_place(work, folder)
        accelerator.wait_for_everyone()


@torch.inference_mode()
def _encode(
    model: VectorModel,
    inputs: Inputs,
    values: np.ndarray,
    padding: int,
    accelerator: Any,
    progress: bool,
    part: tuple[int, int],
) -> None:
    """Fills `values` with the rows of this process's batches; `part` is its number, and how many there are."""
    lengths = np.array([len(sequence) for sequence in inputs.sequences])
    ends = np.searchsorted(inputs.row_sequence, np.arange(len(lengths) + 1))
    groups = batches(lengths, TOKENS_PER_BATCH)[part[0] :: part[1]]
    total = int(sum(lengths[group].sum() for group in groups))
    shown = bar(total=total, unit="token", unit_scale=True, desc="encode", shown=progress)
    with shown, evaluating(model, accelerator.device), accelerator.autocast():
        compile_as_launched(model, accelerator)
        for group in groups:
            ids, mask = padded([inputs.sequences[number] for number in group], padding)
            rows = np.concatenate([np.arange(ends[number], ends[number + 1]) for number in group])
            sequence = np.repeat(np.arange(len(group)), ends[group + 1] - ends[group])
            places = torch.from_numpy(inputs.row_positions[rows])
            read = EncoderInputs(ids, mask, torch.from_numpy(sequence), places).to(accelerator.device)
            vectors = model.encode(read).float().cpu().numpy()
            if not np.isfinite(vectors).all():
                raise ValueError(
                    "The encoder gives NaN or infinite vectors: its weights are damaged. Load them again."
                )
            with np.errstate(over="ignore"):
                kept = vectors.astype(values.dtype)
            if not np.isfinite(kept).all():
                raise ValueError(f"Vectors of up to {np.abs(vectors).max():.3g} do not fit {kept.dtype}. Use float32.")
            values[rows] = kept
            shown.update(int(lengths[group].sum()))
