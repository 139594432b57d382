"""People at once on `hf-fewshot annotate`: how long an answer takes until it is on disk, and what is lost or mixed up.

    python benchmarks/annotate.py

Starts the command on a free port of this machine, with sample data: short sentences, Chinese utterances with slots,
long contexts with the examples beside each question. Scripted annotators, each with answers of its own, go through
training and annotation, one alone and twenty at once: without a pause, which no people do, and with a second between
answers. What each of them sent is then compared, in its order, with what the log on disk has. Annotators run in this
process and take time of the same cores. Time is that of the clock, from the request to the reply.
"""

import asyncio
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from measurement import Measurement, write

STUDIES = {
    "relations": (
        "--benchmark",
        "fewrel",
        "--n-way",
        "5",
        "--shots",
        "5",
        "--n-episodes",
        "4",
        "--split",
        "validation",
    ),
    "intents and slots": ("--benchmark", "fewjoint", "--shots", "3"),
    "questions on long texts": ("--benchmark", "clues", "--config", "squad", "--shots", "30"),
}
CROWD = 20
PAUSES = {"without a pause": 0.0, "a second between answers": 1.0}
MAX_ANSWERS = 40  # of each annotator in one row


class Scripted:
    """An annotator who answers by number: what is sent differs from annotator to annotator."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.number = 0
        self.sent: list[dict[str, Any]] = []
        self.seconds: list[float] = []

    async def work(self, name: str, pause: float) -> None:
        """Joins and answers."""
        joined = await self._asked("/api/annotators", {"name": name})
        self.number = joined["number"]
        self.client.headers["X-Annotator"] = joined["annotator"]
        state = (await self.client.get("/api/state")).json()
        while state["step"] != "done" and len(self.sent) < MAX_ANSWERS:
            if state["step"] == "start":
                state = await self._asked("/api/begin", {})
                continue
            await asyncio.sleep(pause * (0.5 + self.number % CROWD / CROWD))
            answer = self._answer(state["item"])
            start = time.perf_counter()
            reply = await self._asked("/api/answers", {"item": state["item"]["id"], "answer": answer, "seconds": 1.0})
            self.seconds.append(time.perf_counter() - start)
            self.sent.append(answer)
            state = reply["state"]

    def _answer(self, item: dict[str, Any]) -> dict[str, Any]:
        """The option and the word with the number of this annotator and answer, counted around."""
        chosen = self.number + len(self.sent)
        label, marks = None, []
        if item["label"]:
            options = item["label"]["options"]
            label = options[chosen % len(options)]["value"]
        if item["marks"]:
            words, types = item["parts"][0]["words"], item["marks"]["types"]
            start, end = words[chosen % len(words)]
            marks = [{"part": 0, "start": start, "end": end, "label": types and types[chosen % len(types)]}]
        return {"label": label, "marks": marks}

    async def _asked(self, path: str, body: Any) -> Any:
        reply = await self.client.post(path, json=body)
        reply.raise_for_status()
        return reply.json()


async def crowd(url: str, n: int, pause: float) -> list[Scripted]:
    """All annotators of a study, at once."""
    clients = [httpx.AsyncClient(base_url=url, timeout=60) for _ in range(n)]
    people = [Scripted(client) for client in clients]
    try:
        async with asyncio.TaskGroup() as group:
            for place, one in enumerate(people):
                group.create_task(one.work(f"annotator {place}", pause))
    finally:
        for client in clients:
            await client.aclose()
    return people


def faults(folder: Path, people: list[Scripted]) -> tuple[int, int]:
    """How many answers that were acknowledged are not on disk, and how many others are there in their place."""
    lost = mixed = 0
    for one in people:
        lines = (folder / "annotators" / f"{one.number:04}.jsonl").read_text(encoding="utf-8").splitlines()
        kept = [event["answer"] for event in map(json.loads, lines) if event["event"] == "answer"]
        lost += max(0, len(one.sent) - len(kept))
        mixed += max(0, len(kept) - len(one.sent))
        mixed += sum(own != other for own, other in zip(one.sent, kept, strict=False))
    return lost, mixed


def row(name: str, options: tuple[str, ...], n: int, pause: float) -> list[Measurement]:
    """A study of its own, with so many annotators."""
    folder = Path(tempfile.mkdtemp()) / "study"
    command = [sys.executable, "-m", "hf_fewshot.cli", "annotate", str(folder), *options, "--sample"]
    process = subprocess.Popen(
        [*command, "--annotators", str(n), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        url = next(found[1] for line in process.stdout or () if (found := re.match(r"Open (http://[\d.:]+)/", line)))
        people = asyncio.run(crowd(url, n, pause))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
    lost, mixed = faults(folder, people)
    shutil.rmtree(folder.parent)
    seconds = np.array([one for person in people for one in person.seconds])
    print(f"{name}: {len(seconds)} answers, median {np.median(seconds) * 1e3:.1f} ms", flush=True)
    return [
        Measurement(name, "answers", len(seconds)),
        Measurement(name, "p50 ms", float(np.median(seconds)) * 1e3),
        Measurement(name, "p95 ms", float(np.quantile(seconds, 0.95)) * 1e3),
        Measurement(name, "longest ms", float(seconds.max()) * 1e3),
        Measurement(name, "lost", lost),
        Measurement(name, "mixed up", mixed),
    ]


def main() -> None:
    measurements = []
    for study, options in STUDIES.items():
        measurements += row(f"{study}, 1 annotator", options, 1, 0.0)
        for words, pause in PAUSES.items():
            measurements += row(f"{study}, {CROWD} annotators, {words}", options, CROWD, pause)
    write("annotate", measurements)


if __name__ == "__main__":
    main()
