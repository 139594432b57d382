"""Scripts in processes of their own, one or several."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.forked import Forked


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


def run_forked(main: Callable[[], None], *arguments: object, folder: Path, processes: int = 2) -> None:
    """Runs the main function of a script to its end in a folder, in processes that know one another as torchrun's do.

    They are forked from one that has imported everything, and begin at once.
    """
    words = [str(argument) for argument in arguments]
    common = {"WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    common |= {"ACCELERATE_USE_CPU": "true"}
    with ExitStack() as stack:
        forked = [
            stack.enter_context(Forked(_run_main, main, words, folder, common | {"RANK": rank, "LOCAL_RANK": rank}))
            for rank in map(str, range(processes))
        ]
        for process in forked:
            process.wait(300)
    assert [process.exit_code for process in forked] == [0] * processes


def _run_main(_: object, main: Callable[[], None], words: list[str], folder: Path, variables: dict[str, str]) -> None:
    os.environ.update(variables)
    os.chdir(folder)
    sys.argv[1:] = words
    main()
