"""What a run was made with: versions, device, commit."""

import importlib.metadata
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import hf_fewshot

PACKAGES = ("accelerate", "datasets", "evaluate", "huggingface_hub", "numpy", "torch", "transformers")


def environment(n_processes: int, precision: str, n_parameters: int | None) -> dict[str, Any]:
    """Versions, devices, size of the networks, and the commit of this project's checkout, where it is one."""
    return {
        "versions": versions(),
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "device": device_name(),
        "n_processes": n_processes,
        "precision": precision,
        "parameters": n_parameters,
        "commit": commit(),
    }


def versions() -> dict[str, str]:
    """The version of this package and those of the installed libraries that decide results."""
    return {"hf_fewshot": hf_fewshot.__version__, **{name: importlib.metadata.version(name) for name in PACKAGES}}


def device_name() -> str:
    """The GPU's name, or how many threads of which CPU."""
    import torch

    if torch.cuda.is_available():
        return f"{torch.cuda.device_count()} x {torch.cuda.get_device_name(0)}"
    return f"{platform.machine()} CPU, {torch.get_num_threads()} threads"


def commit() -> str | None:
    """The commit of the checkout that the package runs from, with a + if it was changed; None outside of one."""
    folder = Path(__file__).resolve().parents[2]
    git = shutil.which("git")
    if git is None or not (folder / ".git").exists():
        return None

    def output(*arguments: str) -> str:
        command = [git, "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = output("status", "--porcelain", "--untracked-files=no")
        return output("rev-parse", "HEAD") + ("+" if changed else "")
    except subprocess.CalledProcessError:
        return None
