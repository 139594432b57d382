"""Load on `hf-fewshot serve`: requests and texts a second, latencies, what is refused; beside the encoder's own limit.

    python benchmarks/serve.py --data BANKING77

Fits a FewShotLearner on a few intents, saves it, starts the command on a free port of this machine and sends it short
test texts: from several clients at once that wait for each answer, then at a fixed rate, then more than it can take.
Every row is bounded in time and number of requests. Before and after, the same texts go through the bare encoder of
`transformers` (tokenizing, forward pass, mean), with as many threads. The clients take time of the same cores: the
last columns have the CPU time of both sides. Time is that of the clock.
"""

import argparse
import asyncio
import csv
import itertools
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from measurement import Measurement, write

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder

ENCODER = "all-MiniLM-L6-v2"
MAX_WORDS = 12
# Clients at once, and texts of each request.
LEVELS = ((1, 1), (8, 1), (32, 1), (128, 1), (8, 8), (32, 8), (8, 32))
RATES = (50, 100, 200)
PACED_CLIENTS = 64
OVERLOAD = (256, 8)
MAX_REQUESTS = 20_000


@dataclass
class Outcome:
    """What clients saw: a status per request ("lost" for none), and the seconds of those that were answered."""

    statuses: Counter[Any] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    elapsed: float = 0.0


def rows(file: Path) -> list[tuple[str, str]]:
    """Texts and intents of a file of BANKING77."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [(row["text"], row["category"]) for row in csv.DictReader(stream)]


def fitted(data: Path, n_intents: int, shots: int, head: str) -> Any:
    """A learner of the first examples of some intents."""
    examples: dict[str, list[tuple[str, str]]] = {}
    for text, intent in rows(data / "train.csv"):
        examples.setdefault(intent, []).append((text, intent))
    chosen = sorted(examples)[:n_intents]
    learner = hf_fewshot.FewShotLearner.from_encoder(ENCODER, task="classification", head=head)
    return learner.fit([row for intent in chosen for row in examples[intent][:shots]])


def encoder_limit(texts: list[str], seconds: float, batch: int = 32) -> tuple[float, float]:
    """Texts a second of the bare encoder, and tokens per text."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = embedded_encoder(ENCODER)
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    n_texts = n_tokens = 0
    began = time.perf_counter()
    with torch.inference_mode():
        while time.perf_counter() - began < seconds:
            part = [texts[(n_texts + place) % len(texts)] for place in range(batch)]
            inputs = tokenizer(part, padding=True, return_tensors="pt")
            mask = inputs["attention_mask"].unsqueeze(-1)
            (model(**inputs).last_hidden_state * mask).sum(1) / mask.sum(1)
            n_texts += batch
            n_tokens += int(mask.sum())
    return n_texts / (time.perf_counter() - began), n_tokens / n_texts


def cpu_seconds(pid: int) -> float:
    """What a process has taken of the cores so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Load:
    """Sends texts to a service, in turn."""

    def __init__(self, url: str, texts: list[str]) -> None:
        self.url = url
        self.texts = texts
        self.sent = 0
        self.context = ssl.create_default_context()  # making one for each client would take longer than its requests

    async def ask(self, client: httpx.AsyncClient, size: int, outcome: Outcome) -> None:
        """Sends a request and notes what comes back."""
        inputs = [self.texts[(self.sent * size + place) % len(self.texts)] for place in range(size)]
        self.sent += 1
        began = time.perf_counter()
        try:
            response = await client.post("/predict", json={"inputs": inputs})
        except httpx.HTTPError:
            outcome.statuses["lost"] += 1
            return
        if response.status_code == 200 and len(response.json()["answers"]) == size:
            outcome.seconds.append(time.perf_counter() - began)
        outcome.statuses[response.status_code] += 1

    async def closed(self, clients: int, size: int, seconds: float) -> Outcome:
        """Clients that send the next request when the last is answered."""
        outcome = Outcome()
        began = time.perf_counter()

        async def one() -> None:
            async with self.client() as client:
                while time.perf_counter() - began < seconds and outcome.statuses.total() < MAX_REQUESTS:
                    await self.ask(client, size, outcome)

        await asyncio.gather(*(one() for _ in range(clients)))
        outcome.elapsed = time.perf_counter() - began
        return outcome

    async def paced(self, rate: float, seconds: float) -> Outcome:
        """Requests of one text at a fixed rate, whatever comes back."""
        outcome = Outcome()
        began = time.perf_counter()
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            clients = itertools.cycle([await stack.enter_async_context(self.client()) for _ in range(PACED_CLIENTS)])
            for number in range(min(int(rate * seconds), MAX_REQUESTS)):
                await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
                tasks.create_task(self.ask(next(clients), 1, outcome))
        outcome.elapsed = time.perf_counter() - began
        return outcome

    def client(self) -> httpx.AsyncClient:
        """A client of its own for each: the time that one takes for a request grows with its connections."""
        return httpx.AsyncClient(base_url=self.url, timeout=60, verify=self.context)


def measure(load: Load, pid: int, name: str, size: int, kind: Any) -> tuple[list[Measurement], Counter[Any]]:
    """The row of one load, and what clients were answered."""
    server, client = cpu_seconds(pid), time.process_time()
    outcome = asyncio.run(kind)
    server, client = cpu_seconds(pid) - server, time.process_time() - client
    quantiles = np.quantile(outcome.seconds, (0.5, 0.95, 0.99)) * 1e3 if outcome.seconds else [float("nan")] * 3
    good, refused = outcome.statuses[200], outcome.statuses[429]
    columns = {
        "requests/s": good / outcome.elapsed,
        "texts/s": good * size / outcome.elapsed,
        "p50 (ms)": float(quantiles[0]),
        "p95 (ms)": float(quantiles[1]),
        "p99 (ms)": float(quantiles[2]),
        "answered": good,
        "429": refused,
        "lost": outcome.statuses.total() - good - refused,
        "CPU of the service (s)": server,
        "of clients (s)": client,
    }
    print(f"{name}: {columns['texts/s']:.0f} texts/s", flush=True)
    return [Measurement(name, what, value) for what, value in columns.items()], outcome.statuses


def counted(url: str) -> Counter[Any]:
    """How often the service says that it answered predictions with each status."""
    found = re.findall(r'requests_total{path="/predict",status="(\d+)"} (\d+)', httpx.get(f"{url}/metrics").text)
    return Counter({int(status): int(number) for status, number in found})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of BANKING77, with train.csv and test.csv")
    parser.add_argument("--intents", type=int, default=15)
    parser.add_argument("--shots", type=int, default=8)
    parser.add_argument("--head", default="tuned", help="of the learner (default: tuned)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each row (default: 5)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of torch, on both sides")
    options = parser.parse_args()
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # as the service does
    import torch

    torch.set_num_threads(options.threads)
    texts = [text for text, _ in rows(options.data / "test.csv") if len(text.split()) <= MAX_WORDS]
    learner = fitted(options.data, options.intents, options.shots, options.head)
    before, tokens = encoder_limit(texts, options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        learner.save_pretrained(folder)
        command = [sys.executable, "-m", "hf_fewshot.cli", "serve", folder, "--port", "0"]
        with subprocess.Popen(
            [*command, "--threads", str(options.threads)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                found, remark = run(server, learner, texts, options.seconds)
            finally:
                server.terminate()
    after, _ = encoder_limit(texts, options.seconds)
    alone = [("bare encoder, batches of 32, before", before), ("the same, after", after)]
    write(
        "serve",
        [*(Measurement(name, "texts/s", rate) for name, rate in alone), *found],
        remark=f"texts of {tokens:.1f} tokens; {options.threads} threads; {options.seconds:g} s of each; {remark}",
    )


def run(
    server: subprocess.Popen[str], learner: Any, texts: list[str], seconds: float
) -> tuple[list[Measurement], str]:
    """All loads on a server that was started, and whether it answered and counted as it should."""
    said = server.stdout.readline() if server.stdout else ""
    found = re.search(r"http://[\d.]+:\d+", said)
    if found is None:
        raise RuntimeError(f"The service did not start: {said!r}.")
    url = found[0]
    httpx.Client(transport=httpx.HTTPTransport(retries=5)).get(f"{url}/health").raise_for_status()
    asked = httpx.post(f"{url}/predict", json={"inputs": texts[:64]}, timeout=60).json()["answers"]
    same = [answer["label"] for answer in asked] == learner.predict(texts[:64])
    load, statuses = Load(url, texts), Counter({200: 1})
    loads = [
        (f"{clients} client{'s' if clients > 1 else ''}, {size} text{'s' if size > 1 else ''} each", size, clients)
        for clients, size in LEVELS
    ]
    kinds = [(name, size, load.closed(clients, size, seconds)) for name, size, clients in loads]
    kinds += [(f"{rate} requests/s sent, 1 text", 1, load.paced(rate, seconds)) for rate in RATES]
    clients, size = OVERLOAD
    kinds.append((f"overload: {clients} clients, {size} texts each", size, load.closed(clients, size, seconds)))
    measured = []
    for name, size, kind in kinds:
        own, answered = measure(load, server.pid, name, size, kind)
        measured += own
        statuses += answered
    labels = "labels are those of the learner itself" if same else "LABELS DIFFER from those of the learner"
    counts = "the service counts the same" if statuses == counted(url) else "THE SERVICE COUNTS OTHERWISE"
    return measured, f"{labels}; {counts}"


if __name__ == "__main__":
    main()
