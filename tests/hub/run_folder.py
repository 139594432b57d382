"""Folders of runs to push."""

import shutil
from pathlib import Path

from hf_fewshot.runs.record import Record


def write_run(folder: Path, made: Record, model: Path | None = None) -> Path:
    """The folder of a run as `hf-fewshot run` leaves it."""
    place = folder / made.run.name
    made.write(place)
    (place / "predictions.jsonl").write_text("{}\n")
    (place / "browse.jsonl").write_text('{"support": "text of the benchmark"}\n')
    if model is not None:
        shutil.copytree(model, place / "model")
    return place
