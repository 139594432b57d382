"""Scripts in processes of their own, one or several."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def start_script(
    script: Path,
    *arguments: object,
    folder: Path,
    project: Path,
    processes: int = 1,
    launcher: str = "torchrun",
) -> subprocess.Popen:
    """Starts a script in a folder.

    With `launcher="accelerate"` by `accelerate launch --cpu --num_processes 2`, which starts several processes with
    MPI alone; torchrun needs nothing else.
    """
    command = [sys.executable]
    if launcher == "accelerate":
        if shutil.which("mpirun") is None:
            pytest.skip("accelerate starts several processes on CPUs with MPI: install openmpi-bin")
        hosts = folder / "hosts"
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
        "HF_HOME": str(folder / "home"),
        "PYTHONPATH": str(project),
    }
    return subprocess.Popen(
        [*command, str(script), *map(str, arguments)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_script(script: Path, *arguments: object, **options: Any) -> str:
    """Runs a script to its end; an error shows what it wrote."""
    process = start_script(script, *arguments, **options)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors[-4000:]
    return output
