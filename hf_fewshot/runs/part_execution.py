"""Runs some episodes of a run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from accelerate import Accelerator

from hf_fewshot.runs.claim import ChangedError, claimed_run
from hf_fewshot.runs.dependencies import changes_since
from hf_fewshot.runs.episode_part import FILE_NAME, EpisodePart, part_folder
from hf_fewshot.runs.execution import remove_parts
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.runs.work_done import do


def execute_part(
    run: Run,
    results: str | Path,
    only: range,
    *,
    source: dict[str, Any] | None = None,
    accelerator: Accelerator | None = None,
    progress: bool = True,
    command: str = "",
) -> EpisodePart:
    """Some episodes of a run, for `merge`: read if they are there, else predicted; see `execute`."""
    check_runs([run], (source or {}).get("data_dir"))
    accelerator = accelerator or Accelerator()
    folder = part_folder(run, results, only)
    with claimed_run(folder, accelerator):
        if (folder / FILE_NAME).exists():
            part = EpisodePart.read(folder / FILE_NAME)
            _require_unchanged(part, run, source, folder)
            return part
        data, done = do(run, folder, source or {}, accelerator, progress=progress, command=command, only=only)
        done = replace(done, predictions=done.predictions[only.start : only.stop])
        part = EpisodePart.of(run, data.episodes, only, done)
        if accelerator.is_main_process:
            part.write(folder)
            remove_parts(folder)
        accelerator.wait_for_everyone()
    return part


def _require_unchanged(part: EpisodePart, run: Run, source: dict[str, Any] | None, folder: Path) -> None:
    found = changes_since(part.done.depends_on, run, data_of(run, source))
    if found:
        raise ChangedError(
            f"{folder} is finished, but what it depends on has changed since {part.done.started}: {'; '.join(found)}. "
            "Delete it, and run it again."
        )
