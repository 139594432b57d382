"""Requests a second that an endpoint answers, asked by us and by a bare httpx loop, at several at a time.

    python benchmarks/endpoint.py

Starts the server of llama.cpp (`xllamacpp`, one thread) with SmolLM2-135M-Instruct in four bits on a free port of this
machine, or asks the one at `--url`. Both sides send the very same bodies, one token for an answer: ours are queries
of sample data of CLUES' SST-2 through `hf_fewshot.predict`, with all that is checked, counted and written to disk.
They take turns; time is that of the clock.
"""

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import httpx
from measurement import Measurement, measured, ratio, write

import hf_fewshot
from hf_fewshot.embedded import CAUSAL_LMS, installed
from hf_fewshot.endpoints.client import Client

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.real_servers import llama_cpp

MODEL = "SmolLM2-135M-Instruct"
LEVELS = (1, 4, 16)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with the model."""
    weights = installed(MODEL) / CAUSAL_LMS[MODEL][1]
    with tempfile.TemporaryDirectory() as folder, llama_cpp(weights, Path(folder) / "log") as url:
        yield url


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


def measure(url: str, model: str, episodes: Any, repeats: int) -> list[Measurement]:
    """Requests a second of both sides."""
    bodies = bodies_of(url, model, episodes)
    found = []
    for concurrency in LEVELS:
        pairs = [(bare(url, bodies, concurrency), ours(url, model, episodes, concurrency)) for _ in range(repeats)]
        theirs, own = zip(*pairs, strict=True)
        rates = [[len(bodies) / seconds for seconds in side] for side in (theirs, own)]
        ratios = {"bare httpx": ratio(theirs, own)}
        name = f"{concurrency} at a time"
        found += [measured(name, "bare httpx", rates[0], "requests/s")]
        found += [measured(name, "ours", rates[1], "requests/s", ratios)]
        print(f"{name}: {ratios['bare httpx']:.2f} of bare httpx", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="of a server that runs; else one is started")
    parser.add_argument("--model", default="model", help="its name there (default: model)")
    parser.add_argument("--repeats", type=int, default=3, help="turns (default: 3)")
    parser.add_argument("--queries", type=int, default=20, help="of a turn (default: 20)")
    parser.add_argument("--shots", type=int, default=10, help="demonstrations (default: 10)")
    options = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    whole = hf_fewshot.load_episodes("clues", "sst2", split="test", shots=options.shots, fold=1, sample=True)
    one = replace(whole[0], query=whole[0].query[: options.queries])
    episodes = replace(whole, make=lambda _: one)
    with nullcontext(options.url) if options.url else served() as url:
        found = measure(url, options.model, episodes, options.repeats)
    write("endpoint", found, remark=f"{options.queries} requests of a turn; time by the clock")


if __name__ == "__main__":
    main()
