"""Real servers of language models, from pip, on this machine."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.processes import free_port

PATIENCE = 240  # seconds until a server is up


@contextmanager
def transformers_serve(model: Path, log: Path) -> Iterator[str]:
    """`transformers serve` with one model; the address of its API."""
    port = free_port()
    code = "from transformers.cli.transformers import main; main()"
    words = ["serve", str(model), "--port", str(port), "--host", "127.0.0.1", "--device", "cpu"]
    with _started([sys.executable, "-c", code, *words], f"http://127.0.0.1:{port}", log) as address:
        yield f"{address}/v1"


@contextmanager
def llama_cpp(model: Path, log: Path) -> Iterator[str]:
    """The server of llama.cpp with one GGUF file; the address of its API."""
    port = free_port()
    words = [sys.executable, str(Path(__file__).parent / "endpoints" / "llama_cpp_script.py"), str(model), str(port)]
    with _started(words, f"http://127.0.0.1:{port}", log) as address:
        yield f"{address}/v1"


@contextmanager
def _started(words: list[str], address: str, log: Path) -> Iterator[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with log.open("w") as file:
        process = subprocess.Popen(words, stdout=file, stderr=file, env=environment)
    try:
        _wait(process, address, log)
        yield address
    finally:
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen, address: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{address}/health", trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError(f"{address} is not up:\n{log.read_text()[-2000:]}")


def whole_numbers(source: Path, target: Path) -> Path:
    """A GGUF file with the weights of another one in 32 bits, so that servers compute with those that we use."""
    import gguf

    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, "llama")
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "general.file_type"):
            continue
        kinds = field.types
        writer.add_key_value(field.name, field.contents(), kinds[0], kinds[-1] if len(kinds) > 1 else None)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type).astype("float32"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target
