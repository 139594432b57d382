"""Folders that are whole as they stand: exported benchmarks to dataset repositories, metrics to Spaces."""

import importlib.resources
from pathlib import Path

from hf_fewshot.hub.access import hub_access
from hf_fewshot.hub.configurations import beside_others
from hf_fewshot.hub.gathered import Gathered, gather
from hf_fewshot.hub.upload import Push, Upload
from hf_fewshot.registry import METRICS, unknown

# By this its pages are told.
LEADERBOARD = '<meta name="generator" content="hf_fewshot leaderboard">'


def push_folder(
    folder: str | Path,
    repo_id: str,
    *,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
) -> Push:
    """Uploads a folder that `export_benchmark` has written as a dataset repository, in one commit.

    Configurations that the repository has from earlier pushes stay in it, and card and `eval.yaml` name them too; a
    dry run, which asks no network, does not know of them. Links and hidden files are left out and named.
    """
    folder = Path(folder)
    found = _with_card(folder, gather(folder))
    upload = Upload(
        repo_id, "dataset", found.files, "Upload a benchmark with hf_fewshot", private, left_out=found.left_out
    )
    if not dry_run:
        with hub_access(repo_id, token) as api:
            upload = beside_others(upload, folder, api)
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def push_leaderboard(
    folder: str | Path,
    repo_id: str,
    *,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
) -> Push:
    """Uploads a folder that `hf-fewshot leaderboard` has written as a static Space, in one commit."""
    index = Path(folder) / "index.html"
    if not (index.is_file() and LEADERBOARD in index.read_text(encoding="utf-8", errors="replace")[:4096]):
        raise ValueError(f"{folder} is no leaderboard. Give a folder that `hf-fewshot leaderboard` has written.")
    found = _with_card(Path(folder), gather(Path(folder)))
    upload = Upload(
        repo_id,
        "space",
        found.files,
        "Upload a leaderboard with hf_fewshot",
        private,
        space_sdk="static",
        left_out=found.left_out,
    )
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def push_metric(
    name: str,
    repo_id: str,
    *,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
) -> Push:
    """Uploads a metric as a Space, in one commit; `evaluate.load(repo_id)` reads it from there."""
    if name not in METRICS:
        raise unknown("metric", name, METRICS)
    metrics = Path(str(importlib.resources.files("hf_fewshot.metrics")))
    folder = metrics / METRICS[name]
    # In a checkout, what metrics share is linked into their folders.
    found = _with_card(folder, gather(folder, links_into=metrics))
    upload = Upload(
        repo_id,
        "space",
        {name: path.resolve() for name, path in found.files.items()},
        f"Upload the metric {name}",
        private,
        space_sdk="gradio",
        left_out=found.left_out,
    )
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def _with_card(folder: Path, found: Gathered) -> Gathered:
    if "README.md" not in found.files:
        instead = found.left_out.get("README.md")
        what = f"has a README.md that is {instead}" if instead else "has no README.md"
        raise ValueError(f"{folder} {what}. Give a folder that `export_benchmark` has written.")
    return found
