"""The script that Slurm runs for each task of an array."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from hf_fewshot.launching.jobs import Job

# What the launcher itself says to sbatch, under the long and the short names.
OURS = (
    "array", "a", "dependency", "d", "output", "o", "error", "e", "open-mode", "chdir", "D", "job-name", "J",
    "requeue", "no-requeue", "hold", "H", "wait", "W", "wrap", "parsable", "test-only",
)  # fmt: skip
# Slurm reads directives like a shell of its own, with other rules.
UNQUOTABLE = "\"'\\`"


def script(
    name: str,
    jobs: Sequence[Job],
    command: Sequence[str],
    *,
    logs: Path,
    current: Path,
    at_once: int,
    options: Mapping[str, str],
) -> str:
    """The text of it.

    Args:
        name: of the jobs.
        command: to which `--only` and the names of runs are added.
        logs: the folder of what the tasks print, a file for each number.
        current: the folder that it runs in: paths of recipes are relative to it.
        at_once: how many tasks run at the same time, at most.
        options: of sbatch, such as `{"partition": "gpu"}`.
    """
    check_options(options)
    directives = {
        "job-name": name,
        "array": f"0-{len(jobs) - 1}%{at_once}",
        "requeue": None,
        "open-mode": "append",
        "output": f"{str(logs).replace('%', '%%')}/%a.log",
        "chdir": str(current),
        **options,
    }
    return "\n".join(
        [
            "#!/bin/bash",
            *(_directive(key, value) for key, value in directives.items()),
            "case $SLURM_ARRAY_TASK_ID in",
            *(f"  {number}) runs=({shlex.join(job.runs)}) ;;" for number, job in enumerate(jobs)),
            "esac",
            f'exec {shlex.join(command)} --only "${{runs[@]}}"',
            "",
        ]
    )


def check_options(options: Mapping[str, str]) -> None:
    """Refuses what the launcher says itself, and what is no option."""
    for key, value in options.items():
        if key in OURS:
            raise ValueError(f"--sbatch {key}={value}: the launcher says {key} itself. Leave it out.")
        if not key.replace("-", "").isalnum() or not key.isascii():
            raise ValueError(f"--sbatch {key}={value}: expected a long option of sbatch, such as partition=gpu.")
        _directive(key, value)


def _directive(key: str, value: str | None) -> str:
    if value is None:
        return f"#SBATCH --{key}"
    if not value.isprintable() or any(one in value for one in UNQUOTABLE):
        raise ValueError(f"{key}={value!r}: quotes, backslashes and control characters cannot be said to sbatch.")
    return f'#SBATCH --{key}="{value}"' if " " in value else f"#SBATCH --{key}={value}"
