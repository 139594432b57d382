"""Folders that are whole as they stand: exported benchmarks to dataset repositories, metrics to Spaces."""

import importlib.resources
from pathlib import Path

from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.upload import Push, Upload
from hf_fewshot.registry import METRICS, unknown


def push_folder(
    folder: str | Path,
    repo_id: str,
    *,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
) -> Push:
    """Uploads a folder that `export_benchmark` has written as a dataset repository, in one commit."""
    files = folder_files(Path(folder))
    message = "Upload a benchmark with hf_fewshot"
    return Upload(repo_id, "dataset", files, message, private).push(dry_run=dry_run, token=token, overwrite=overwrite)


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
    files = folder_files(Path(str(importlib.resources.files("hf_fewshot.metrics") / METRICS[name])))
    upload = Upload(repo_id, "space", files, f"Upload the metric {name}", private, space_sdk="gradio")
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def folder_files(folder: Path) -> dict[str, Content]:
    """The files of a folder by their path in it; links are followed, hidden files and caches are left out."""
    if not (folder / "README.md").is_file():
        raise ValueError(f"{folder} has no README.md. Give a folder that `export_benchmark` has written.")
    files = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name.as_posix(): path.resolve()
        for name, path in files.items()
        if not any(part.startswith(".") or part == "__pycache__" for part in name.parts)
    }
