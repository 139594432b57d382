"""Jobs of the stand-in Hub: they really run, as processes of this machine, one after the other."""

import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.hub.exchange import Exchange, HubError

ENDED = ("COMPLETED", "CANCELED", "ERROR", "DELETED")
# As the Hub says them; prices are made up.
HARDWARE = [
    {
        "name": "cpu-basic",
        "prettyName": "CPU Basic",
        "cpu": "2 vCPU",
        "ram": "16 GB",
        "accelerator": None,
        "unitCostMicroUSD": 200,
        "unitCostUSD": 0.0002,
        "unitLabel": "minute",
    },
    {
        "name": "t4-small",
        "prettyName": "Nvidia T4 - small",
        "cpu": "4 vCPU",
        "ram": "15 GB",
        "accelerator": {"type": "gpu", "model": "T4", "quantity": "1", "vram": "16 GB", "manufacturer": "Nvidia"},
        "unitCostMicroUSD": 10000,
        "unitCostUSD": 0.01,
        "unitLabel": "minute",
    },
]


@dataclass
class StandInJob:
    """A job: what was asked for, and how far it is."""

    id: str
    owner: str
    asked: dict[str, Any]
    stage: str = "SCHEDULING"
    message: str | None = None
    log: Path | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def shown(self) -> dict[str, Any]:
        """As the Hub shows it: of secrets the names."""
        return {
            "id": self.id,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "owner": {"id": "1", "name": self.owner, "type": "user"},
            "status": {"stage": self.stage, "message": self.message},
            **{name: self.asked[name] for name in ("command", "arguments", "environment", "flavor", "dockerImage")},
            "labels": self.asked.get("labels"),
            "secrets": dict.fromkeys(self.asked.get("secrets", {}), ""),
        }


class JobsOfServer:
    """All jobs of a server.

    `hold` keeps those that are submitted from beginning. With `dies`, they end with this last word instead of being
    run; `limit` is how many somebody can pay for.
    """

    dies: str | None = None
    limit = 100

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, StandInJob] = {}
        self.one_at_a_time = threading.Lock()
        self.go = threading.Event()
        self.go.set()
        self.threads: list[threading.Thread] = []

    def hold(self) -> None:
        self.go.clear()

    def end(self) -> None:
        """Ends all that runs."""
        for job in self.known.values():
            cancel(job)
        self.go.set()
        for thread in self.threads:
            thread.join(60)

    def submit(self, owner: str, asked: dict[str, Any], server: Any) -> StandInJob:
        if len(self.known) == self.limit:
            raise HubError(402, "Pre-paid credit balance is insufficient")
        job = StandInJob(f"{len(self.known) + 1:024x}", owner, asked)
        self.known[job.id] = job
        thread = threading.Thread(target=self._run, args=(job, server), daemon=True)
        self.threads.append(thread)
        thread.start()
        return job

    def _run(self, job: StandInJob, server: Any) -> None:
        self.go.wait()
        with self.one_at_a_time:
            if job.stage == "CANCELED":
                return
            place = self.folder / job.id
            place.mkdir(parents=True)
            mounts = {
                one["mountPath"]: mounted(one, place / str(n), server) for n, one in enumerate(job.asked["volumes"])
            }
            command = [_elsewhere(word, mounts) for word in job.asked["command"]]
            # The environment that `uv run` makes of the script's header is that of the tests.
            assert command[:2] == ["uv", "run"]
            job.log = place / "log.txt"
            if self.dies is not None:
                job.log.write_text(self.dies)
                job.stage = "ERROR"
                return
            environment = {
                "PATH": os.environ["PATH"],
                "HOME": str(place),
                "HF_HOME": str(place / "home"),
                "HF_ENDPOINT": server.url,
                "HF_HUB_OFFLINE": "0",
                "HF_HUB_DISABLE_XET": "1",
                "HF_HUB_DISABLE_TELEMETRY": "1",
                "NO_PROXY": "127.0.0.1,localhost",
                "OMP_NUM_THREADS": "1",
                **job.asked["environment"],
                **job.asked.get("secrets", {}),
            }
            with job.log.open("wb") as log:
                job.process = subprocess.Popen(
                    [sys.executable, *command[2:]], env=environment, cwd=place, stdout=log, stderr=subprocess.STDOUT
                )
                job.stage = "RUNNING"
                try:
                    code = job.process.wait(job.asked["timeoutSeconds"])
                except subprocess.TimeoutExpired:
                    job.process.kill()
                    job.process.wait()
                    code, job.message = 1, "Job timeout"
            if job.stage != "CANCELED":
                job.stage = "COMPLETED" if code == 0 else "ERROR"


def mounted(volume: dict[str, Any], place: Path, server: Any) -> Path:
    """The files of a repository, or of a folder in it, as they were at a revision."""
    assert volume["readOnly"] is True
    name = f"{volume['type']}s/{volume['source']}"
    for path, file in server.storage.files(name, volume["revision"]).items():
        if path.startswith(f"{volume['path']}/"):
            target = place / path.removeprefix(f"{volume['path']}/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(server.storage.blob(file.sha256))
            target.chmod(0o444)
    return place


def _elsewhere(word: str, mounts: dict[str, Path]) -> str:
    for mount, place in mounts.items():
        word = re.sub(rf"^{re.escape(mount)}(?=/|$)", str(place), word)
    return word


def cancel(job: StandInJob) -> None:
    if job.stage not in ENDED:
        job.stage = "CANCELED"
        if job.process is not None:
            job.process.kill()


class Jobs(Exchange):
    """Requests about jobs."""

    routes = (
        ("GET", r"/api/jobs/hardware", "hardware"),
        ("POST", r"/api/jobs/(?P<owner>[^/]+)", "submit_job"),
        ("GET", r"/api/jobs/(?P<owner>[^/]+)", "list_jobs"),
        ("GET", r"/api/jobs/(?P<owner>[^/]+)/(?P<id>\w+)", "inspect_job"),
        ("POST", r"/api/jobs/(?P<owner>[^/]+)/(?P<id>\w+)/cancel", "cancel_job"),
        ("GET", r"/api/jobs/(?P<owner>[^/]+)/(?P<id>\w+)/logs", "job_logs"),
    )

    def hardware(self) -> None:
        self.send_json(200, HARDWARE)

    def submit_job(self, owner: str) -> None:
        self.writer(owner)
        asked = json.loads(self.body)
        if asked["flavor"] not in [one["name"] for one in HARDWARE]:
            raise HubError(400, f"Invalid flavor: {asked['flavor']}")
        job = self.server.jobs.submit(owner, asked, self.server)
        self.send_json(200, job.shown)

    def list_jobs(self, owner: str) -> None:
        self.writer(owner)
        labels = dict(one.split("=", 1) for one in self.query.get("label", []))
        jobs = [job for job in self.server.jobs.known.values() if job.owner == owner]
        found = [job for job in jobs if labels.items() <= job.asked.get("labels", {}).items()]
        self.send_json(200, [job.shown for job in found])

    def inspect_job(self, owner: str, id: str) -> None:
        self.send_json(200, self.job(owner, id).shown)

    def cancel_job(self, owner: str, id: str) -> None:
        job = self.job(owner, id)
        if job.stage in ENDED:
            raise HubError(409, f"Job is already {job.stage}")
        cancel(job)
        self.send_json(200, job.shown)

    def job_logs(self, owner: str, id: str) -> None:
        job = self.job(owner, id)
        lines = job.log.read_text(errors="replace").splitlines() if job.log is not None else []
        lines = lines[-int(self.query.get("tail", ["100000"])[0]) :]
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        events = [json.dumps({"timestamp": when, "data": line}) for line in ["===== Job started =====", *lines]]
        body = "".join(f"data: {event}\n\n" for event in events).encode()
        self.send(200, body, {"Content-Type": "text/event-stream"})

    def job(self, owner: str, id: str) -> StandInJob:
        self.writer(owner)
        job = self.server.jobs.known.get(id)
        if job is None or job.owner != owner:
            raise HubError(404, "Job not found")
        return job
