"""The tiny encoders and episodes of tests/models, and scripts that run in processes of their own."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models.conftest import (
    bert,
    joint_episodes,
    relation_episodes,
    roberta,
    tagging_episodes,
    text_episodes,
)
from tests.small_disk import small_disk

__all__ = ["bert", "joint_episodes", "relation_episodes", "roberta", "small_disk", "tagging_episodes", "text_episodes"]


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@pytest.fixture
def start(tmp_path, project) -> Callable[..., subprocess.Popen]:
    """Starts a script of this folder: `start("predict_script.py", arguments, processes=2)`.

    With `launcher="accelerate"` by `accelerate launch --cpu --num_processes 2`, which starts several processes with
    MPI alone; torchrun needs nothing else.
    """

    def start(script: str, *arguments: object, processes: int = 1, launcher: str = "torchrun") -> subprocess.Popen:
        command = [sys.executable]
        if launcher == "accelerate":
            if shutil.which("mpirun") is None:
                pytest.skip("accelerate starts several processes on CPUs with MPI: install openmpi-bin")
            hosts = tmp_path / "hosts"
            hosts.write_text(f"localhost slots={processes}\n")
            command += ["-m", "accelerate.commands.launch", "--cpu", "--num_processes", str(processes)]
            command += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
            command += ["--mpirun_hostfile", str(hosts), "--main_process_port", str(free_port())]
        elif processes > 1:
            command += ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(processes)]
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
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

    def run(script: str, *arguments: object, **options: Any) -> str:
        process = start(script, *arguments, **options)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors[-4000:]
        return output

    return run
