"""What a job of the Hub does: makes its runs as any machine would, and uploads each as soon as it is done."""

import logging
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

from hf_fewshot.hub.access import HubError
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.results_repository import JOBS, ResultsRepository, run_files
from hf_fewshot.launching.job_plan import FILES, JobPlan
from hf_fewshot.runs.failure import read_failure
from hf_fewshot.runs.record import FILE_NAME
from hf_fewshot.text.redaction import redacted

logger = logging.getLogger(__name__)

SECONDS = 30.0  # between two looks at what is done
LOGS, ERRORS = "logs", "errors"


def main(folder: Path) -> None:
    """The job whose number is the first argument; ends with the exit code of its command."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    plan = JobPlan.read(folder)
    with tempfile.TemporaryDirectory() as place:
        sys.exit(JobWork(plan, int(sys.argv[1]), Path(place)).do(folder / FILES))


class JobWork:
    """The work of one job.

    Args:
        plan: of its submission.
        number: of the job in it.
        place: an empty folder for results.
    """

    def __init__(self, plan: JobPlan, number: int, place: Path) -> None:
        self.plan = plan
        self.number = number
        self.results = place / "results"
        self.log = place / "job.log"
        self.runs = plan.jobs[number]
        self.uploaded: set[str] = set()
        self.repository = ResultsRepository(plan.repository)

    def do(self, folder: Path) -> int:
        """Makes the runs in a folder; the exit code of the command."""
        words = [*self.plan.command, "--output", str(self.results), "--only", *self.runs]
        process = subprocess.Popen(
            [sys.executable, "-m", "hf_fewshot.cli", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        reader = threading.Thread(target=self._keep, args=(process.stdout,))
        reader.start()
        while True:
            try:
                code = process.wait(SECONDS)
                break
            except subprocess.TimeoutExpired:
                self._upload_finished()
        reader.join()
        self._upload_rest()
        return code

    def _keep(self, printed: IO[bytes]) -> None:
        """What is printed goes on, and to the log."""
        with self.log.open("wb") as log:
            while piece := os.read(printed.fileno(), 1 << 16):
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
                log.write(piece)
                log.flush()

    def _upload_finished(self) -> None:
        try:
            self._upload(self._finished())
        except HubError as error:
            logger.warning(f"Results are uploaded later: {error}")

    def _upload_rest(self) -> None:
        """What is done, why the rest failed, and the log."""
        files = self._finished()
        for name in self.runs:
            failure = read_failure(self.results / name)
            if failure is not None:
                files[f"{JOBS}/{self.plan.name}/{ERRORS}/{name}.txt"] = self._shown(failure)
        log = self.log.read_text(encoding="utf-8", errors="replace")
        files[f"{JOBS}/{self.plan.name}/{LOGS}/{self.number}.log"] = self._shown(log)
        self._upload(files)

    def _shown(self, text: str) -> bytes:
        """Without what the job got as secrets."""
        return redacted(text, *(os.environ.get(name) for name in self.plan.secrets)).encode()

    def _finished(self) -> dict[str, Content]:
        new = [name for name in self.runs if name not in self.uploaded and (self.results / name / FILE_NAME).exists()]
        return {
            path: content
            for name in new
            for path, content in run_files(self.results / name, models=self.plan.models).items()
        }

    def _upload(self, files: dict[str, Content]) -> None:
        if files:
            done = [name for name in self.runs if any(f"/{name}/{FILE_NAME}" in path for path in files)]
            self.repository.upload(files, f"Results of {len(done)} runs of job {self.number} of {self.plan.name}")
            self.uploaded.update(done)
