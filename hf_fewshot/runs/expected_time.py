"""How long runs may take, from those that are finished."""

import json
from pathlib import Path

from hf_fewshot.runs.folder import find_records
from hf_fewshot.runs.run import Run


def kind_of_work(run: Run) -> str:
    """What decides most how long a run takes."""
    return json.dumps([run.method, run.model, run.written["training"]], sort_keys=True)


def known_seconds(output: Path) -> dict[str, float]:
    """The mean time of finished runs, by their work."""
    found: dict[str, list[float]] = {}
    for record in find_records(output).records.values() if output.is_dir() else []:
        if record.seconds:
            found.setdefault(kind_of_work(record.run), []).append(sum(record.seconds.values()))
    return {kind: sum(seconds) / len(seconds) for kind, seconds in found.items()}
