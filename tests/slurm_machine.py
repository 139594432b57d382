"""A Slurm of one machine, for the tests alone: in a folder of its own, on free ports, without systemd."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.processes import free_port

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")
PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
SETTINGS = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
PATIENCE = 60  # seconds for the daemons to find each other


def why_not() -> str | None:
    """Why there can be no Slurm on this machine; None: there can be."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=PLACES) is None]
    if missing:
        return f"{', '.join(missing)} not installed (Debian: slurm-wlm, munge)"
    return None if os.getuid() == 0 else "a Slurm of one's own is started as root"


@contextmanager
def slurm_machine(folder: Path) -> Iterator[Path]:
    """Its configuration, which `SLURM_CONF` makes known to Slurm's commands; all of it ends with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    for name in ("state", "spool", "munge"):
        (folder / name).mkdir(mode=0o700)
    (folder / "munge" / "key").write_bytes(os.urandom(128))
    (folder / "munge" / "key").chmod(0o600)
    settings = folder / "slurm.conf"
    settings.write_text(
        SETTINGS.format(
            host=socket.gethostname().partition(".")[0],
            controller_port=free_port(),
            node_port=free_port(),
            folder=folder,
            processors=os.cpu_count(),
        )
    )
    environment = {**os.environ, "PATH": PLACES, "SLURM_CONF": str(settings)}
    munge = [f"--{name}-file={folder / 'munge' / name}" for name in ("key", "seed", "pid", "log")]
    with ExitStack() as stack:
        _daemon(
            stack, folder, environment, "munged", "--foreground", "--force", f"--socket={folder}/munge.socket", *munge
        )
        _wait(lambda: (folder / "munge.socket").exists(), folder)
        _daemon(stack, folder, environment, "slurmctld", "-D", "-f", str(settings))
        _daemon(stack, folder, environment, "slurmd", "-D", "-f", str(settings))
        _wait(lambda: "idle" in _said(environment, "sinfo", "--noheader", "--format=%T"), folder)
        try:
            yield settings
        finally:
            _said(environment, "scancel", "--user=root")
            _wait(lambda: not _said(environment, "squeue", "--noheader"), folder)


def _daemon(stack: ExitStack, folder: Path, environment: dict[str, str], program: str, *arguments: str) -> None:
    """Starts a daemon, which is stopped when the stack is unwound."""
    log = stack.enter_context((folder / f"{program}.out").open("wb"))
    place = shutil.which(program, path=PLACES)
    daemon = subprocess.Popen([str(place), *arguments], stdout=log, stderr=log, env=environment)

    def stop() -> None:
        daemon.terminate()
        try:
            daemon.wait(timeout=30)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    stack.callback(stop)


def _said(environment: dict[str, str], *command: str) -> str:
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout.strip()


def _wait(ready: Callable[[], object], folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > end:
            logs = "\n".join(path.read_text(errors="replace")[-2000:] for path in sorted(folder.glob("*.out")))
            raise RuntimeError(f"The Slurm in {folder} did not get ready in {PATIENCE} seconds:\n{logs}")
        time.sleep(0.1)
