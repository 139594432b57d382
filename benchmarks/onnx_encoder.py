"""CPU time of an encoder under ONNX Runtime against torch, for batches of short texts.

    pip install -c constraints.txt -e ".[embedded,peers]"
    python benchmarks/onnx_encoder.py --data BANKING77

Exports the encoder with the pooling of a sentence encoder (`torch.onnx`, dynamo) into a temporary folder, as it is and
with weights of eight bits (dynamic quantisation). Times are process CPU time; all ways take turns in one process per
number of threads, whose threads sleep while they wait, so that other work on the machine counts little. A second table
has how the predictions of prototypes agree with torch's.
"""

import argparse
import csv
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from measurement import Measurement, measured, ratio, write
from transformers import AutoModel, AutoTokenizer

from hf_fewshot.embedded import embedded_encoder

ENCODER = "all-MiniLM-L6-v2"
BATCHES = (1, 8, 32)
THREADS = (1, 2)
TOKENS = range(10, 15)
N_TEXTS = 96
SHOTS = 5
WAYS = ("torch", "torch, bfloat16", "ONNX", "ONNX, int8")
# From token ids and mask, both (texts, tokens), to unit vectors (texts, dim).
Encode = Callable[[torch.Tensor, torch.Tensor], np.ndarray]


class SentenceEncoder(torch.nn.Module):
    """An encoder with the mean over tokens and unit length, as sentence encoders have."""

    def __init__(self, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(embedded_encoder(ENCODER), dtype=dtype).eval()

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state.float()
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1)


def in_torch(dtype: torch.dtype) -> Encode:
    """The encoder as the library runs it."""
    model = SentenceEncoder(dtype)

    @torch.inference_mode()
    def encode(ids: torch.Tensor, mask: torch.Tensor) -> np.ndarray:
        return model(ids, mask).numpy()

    return encode


def in_onnx(file: Path, threads: int) -> Encode:
    """An exported encoder; its threads do not spin, which would count as CPU time."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    return lambda ids, mask: session.run(None, {"input_ids": ids.numpy(), "attention_mask": mask.numpy()})[0]


def export(folder: Path) -> None:
    """Writes float.onnx and int8.onnx."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    ids = torch.ones(2, 8, dtype=torch.long)
    sizes = {0: torch.export.Dim("texts", min=1, max=1024), 1: torch.export.Dim("tokens", min=2, max=512)}
    torch.onnx.export(
        SentenceEncoder(),
        (ids, torch.ones_like(ids)),
        folder / "float.onnx",
        dynamo=True,
        opset_version=23,  # has attention as one operator; 18 was a little slower
        input_names=["input_ids", "attention_mask"],
        output_names=["vectors"],
        dynamic_shapes={"input_ids": sizes, "attention_mask": sizes},
        external_data=False,
        verbose=False,
    )
    # The quantiser takes the attention of this opset for one of its own operators and writes what cannot be loaded.
    operators = ["MatMul", "Gemm"]
    quantize_dynamic(
        folder / "float.onnx", folder / "int8.onnx", op_types_to_quantize=operators, weight_type=QuantType.QInt8
    )


def ways(folder: Path, threads: int) -> dict[str, Encode]:
    """All that is compared; torch in float32 first."""
    torch.set_num_threads(threads)
    made = (
        in_torch(torch.float32),
        in_torch(torch.bfloat16),
        *(in_onnx(folder / name, threads) for name in ("float.onnx", "int8.onnx")),
    )
    return dict(zip(WAYS, made, strict=True))


def rows(file: Path) -> list[tuple[str, str]]:
    """Texts and intents of a file of BANKING77."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [(row["text"], row["category"]) for row in csv.DictReader(stream)]


def timed(data: Path, folder: Path, threads: int, repeats: int) -> list[dict[str, Any]]:
    """Milliseconds of CPU time per text in each turn, without tokenizing, by batch size and way."""
    tokenizer = AutoTokenizer.from_pretrained(embedded_encoder(ENCODER))
    short = [text for text, _ in rows(data / "test.csv") if len(tokenizer(text)["input_ids"]) in TOKENS][:N_TEXTS]
    encoders = ways(folder, threads)
    found = []
    for size in BATCHES:
        texts = [short[first : first + size] for first in range(0, N_TEXTS, size)]
        padded = [tokenizer(batch, padding=True, return_tensors="pt") for batch in texts]
        inputs = [(batch["input_ids"], batch["attention_mask"]) for batch in padded]
        times: dict[str, list[float]] = {name: [] for name in encoders}
        for _ in range(repeats):
            for name, encode in encoders.items():
                encode(*inputs[0])
                began = time.process_time()
                for batch in inputs:
                    encode(*batch)
                times[name].append((time.process_time() - began) / N_TEXTS * 1e3)
        found.append({"batch": size, "times": times})
    return found


def agreement(data: Path, folder: Path) -> list[Measurement]:
    """How far the vectors and the predictions by prototypes of all intents are from torch's."""
    tokenizer = AutoTokenizer.from_pretrained(embedded_encoder(ENCODER))
    counts: dict[str, list[str]] = {}
    for text, intent in rows(data / "train.csv"):
        counts.setdefault(intent, []).append(text)
    support = [text for intent in sorted(counts) for text in counts[intent][:SHOTS]]
    queries = rows(data / "test.csv")[::5]
    truth = np.array([sorted(counts).index(intent) for _, intent in queries])

    def vectors(encode: Encode, texts: list[str]) -> np.ndarray:
        parts = [
            tokenizer(texts[k : k + 32], padding=True, truncation=True, return_tensors="pt")
            for k in range(0, len(texts), 32)
        ]
        return np.concatenate([encode(part["input_ids"], part["attention_mask"]) for part in parts])

    found: list[Measurement] = []
    reference, labels = None, None
    for name, encode in ways(folder, threads=1).items():
        prototypes = vectors(encode, support).reshape(len(counts), SHOTS, -1).mean(axis=1)
        prototypes /= np.linalg.norm(prototypes, axis=-1, keepdims=True)
        given = vectors(encode, [text for text, _ in queries])
        predicted = (given @ prototypes.T).argmax(axis=1)
        if reference is None or labels is None:
            reference, labels = given, predicted
        found.append(Measurement(name, "accuracy", 100 * float((predicted == truth).mean()), "%"))
        if name != WAYS[0]:
            found += [
                Measurement(name, "vectors differ by at most", float(np.abs(given - reference).max())),
                Measurement(name, "same as torch", 100 * float((predicted == labels).mean()), "%"),
            ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of BANKING77, with train.csv and test.csv")
    parser.add_argument("--repeats", type=int, default=15, help="turns (default: 15)")
    parser.add_argument("--timed", nargs=2, metavar=("FOLDER", "THREADS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.timed:
        folder, threads = options.timed
        print(json.dumps(timed(options.data, Path(folder), int(threads), options.repeats)))
        return
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        export(Path(folder))
        found = []
        for threads in THREADS:
            quiet = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
            own = [sys.executable, __file__, "--data", options.data, "--repeats", str(options.repeats)]
            done = subprocess.run(
                [*own, "--timed", folder, str(threads)],
                env={**os.environ, **quiet},
                stdout=subprocess.PIPE,
                check=True,
            )
            for row in json.loads(done.stdout):
                name = f"{threads} thread{'s' if threads > 1 else ''}, batch of {row['batch']}"
                times = row["times"]
                for way in WAYS:
                    ratios = {} if way == WAYS[0] else {WAYS[0]: ratio(times[WAYS[0]], times[way])}
                    found.append(measured(name, way, times[way], "ms a text", ratios))
        write("onnx_speed", found)
        write("onnx_agreement", agreement(options.data, Path(folder)))


if __name__ == "__main__":
    main()
