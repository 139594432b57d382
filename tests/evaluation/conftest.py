"""The tiny encoders and episodes of tests/models, and scripts that run in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.models.conftest import bert, relation_episodes, roberta, tagging_episodes, text_episodes

__all__ = ["bert", "relation_episodes", "roberta", "tagging_episodes", "text_episodes"]


@pytest.fixture
def start(tmp_path, project) -> Callable[..., subprocess.Popen]:
    """Starts a script of this folder: `start("predict_script.py", arguments, processes=2)`."""

    def start(script: str, *arguments: object, processes: int = 1) -> subprocess.Popen:
        # `accelerate launch --cpu` starts several processes only where it finds MPI; torchrun needs nothing else.
        command = [sys.executable]
        if processes > 1:
            command += ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(processes)]
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "ACCELERATE_USE_CPU": "true",
            "HF_HOME": str(tmp_path / "home"),
            "PYTHONPATH": str(project),
        }
        return subprocess.Popen(
            [*command, str(Path(__file__).parent / script), *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture
def run(start) -> Callable[..., str]:
    """Runs a script to its end; an error shows what it wrote."""

    def run(script: str, *arguments: object, processes: int = 1) -> str:
        process = start(script, *arguments, processes=processes)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors[-4000:]
        return output

    return run
