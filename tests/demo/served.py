"""The page of a model, started as a user starts it: by the command, in a process of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(model: object, project: Path, folder: Path, *arguments: str) -> Iterator[tuple[str, str]]:
    """The address of the page while the block runs, and what was printed; the log is `folder/log`."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(project)}
    command = [sys.executable, "-m", "hf_fewshot.cli", "demo", str(model), *arguments]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        )
    try:
        line = process.stdout.readline()
        found = re.search(r" on (http://\S+) until Ctrl-C\.$", line)
        assert found, line + (folder / "log").read_text()
        rest = process.stdout.readline() if "--host" in arguments else ""
        yield found[1], line + rest
    finally:
        process.terminate()
        try:
            process.wait(30)
        finally:
            process.kill()
            process.stdout.close()
