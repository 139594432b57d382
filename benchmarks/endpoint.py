"""Requests a second that an endpoint answers, asked by us and by a bare httpx loop, at several at a time.

    python benchmarks/endpoint.py

Starts `transformers serve` with SmolLM2-135M-Instruct on a free port of this machine (`pip install
"transformers[serving]"`), or asks the server at `--url`. Both sides send the very same bodies, one token for an
answer: ours are the queries of sample data of CLUES' SST-2 through `hf_fewshot.predict`, with all that is checked,
counted and written to disk. They take turns, `--rounds` times. It prints a Markdown table.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import httpx

import hf_fewshot
from hf_fewshot.embedded import embedded_causal_lm
from hf_fewshot.endpoints.client import Client

MODEL = "SmolLM2-135M-Instruct"
LEVELS = (1, 4, 16)
PATIENCE = 240


@contextmanager
def served(model: Path) -> Iterator[str]:
    """The address of `transformers serve` with this model."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "from transformers.cli.transformers import main; main()"
    words = ["serve", str(model), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-c", code, *words], env=environment, stdout=quiet, stderr=quiet)
    try:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and process.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False)
            except httpx.HTTPError:
                time.sleep(0.2)
            else:
                break
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def ours(url: str, model: str, episodes: Any, concurrency: int) -> float:
    """The seconds that all queries take."""
    endpoint = hf_fewshot.Endpoint(url, model, concurrency=concurrency, timeout=600)
    system = hf_fewshot.InContextSystem(endpoint, "clues_sst2", max_new_tokens=1)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        hf_fewshot.predict(system, episodes, output_dir=folder, progress=False)
        return time.perf_counter() - start


def bare(url: str, bodies: list[dict[str, Any]], concurrency: int) -> float:
    """The seconds that the same bodies take in a loop."""
    with httpx.Client(timeout=600, trust_env=False) as client, ThreadPoolExecutor(concurrency) as pool:
        start = time.perf_counter()
        for answer in pool.map(lambda body: client.post(f"{url}/chat/completions", json=body), bodies):
            answer.raise_for_status()
        return time.perf_counter() - start


def bodies_of(url: str, model: str, episodes: Any) -> list[dict[str, Any]]:
    """What we send; the server is warm afterwards."""
    bodies: list[dict[str, Any]] = []
    post = Client.post

    def noted(self: Client, operation: str, body: dict[str, Any]) -> Any:
        bodies.append(dict(body))
        return post(self, operation, body)

    with mock.patch.object(Client, "post", noted):
        ours(url, model, episodes, 1)
    return bodies


def measure(url: str, model: str, episodes: Any, rounds: int) -> None:
    """Prints the table."""
    bodies = bodies_of(url, model, episodes)
    print(f"{len(bodies)} requests, best of {rounds} rounds.\n")
    print("| at a time | bare httpx, requests/s | ours, requests/s | ours / bare |")
    print("|---|---|---|---|")
    for concurrency in LEVELS:
        pairs = [(bare(url, bodies, concurrency), ours(url, model, episodes, concurrency)) for _ in range(rounds)]
        theirs, own = (len(bodies) / min(seconds) for seconds in zip(*pairs, strict=True))
        print(f"| {concurrency} | {theirs:.2f} | {own:.2f} | {own / theirs:.2f} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--url", help="of a server that runs; else one is started")
    options.add_argument("--model", help="its name there")
    options.add_argument("--rounds", type=int, default=3, help="how often (default: 3)")
    options.add_argument("--shots", type=int, default=10, help="demonstrations (default: 10)")
    given = options.parse_args()
    episodes = hf_fewshot.load_episodes("clues", "sst2", split="test", shots=given.shots, fold=1, sample=True)
    if given.url is not None:
        measure(given.url, given.model, episodes, given.rounds)
        return
    model = embedded_causal_lm(MODEL)
    with served(model) as url:
        measure(url, str(model), episodes, given.rounds)


if __name__ == "__main__":
    main()
