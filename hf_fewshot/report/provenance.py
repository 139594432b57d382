"""Where a score comes from: all that a record holds about its run."""

from collections.abc import Mapping
from typing import Any

from hf_fewshot.runs.record import Record
from hf_fewshot.tables.measures import measure_label, percent, shown


def provenance(record: Record) -> dict[str, str]:
    """Names and values for people."""
    run = record.run
    facts: dict[str, Any] = {
        "Score": f"{measure_label(record.measure)} {shown(percent(record.score))}",
        "Episodes": record.episodes,
        "Seed": run.seed,
        "Data": {"split": run.split, **run.data},
        "Method": {"name": run.method, **run.options},
        "Model": run.model,
        "Training": "none" if run.training is None else run.training.written,
        "Environment": record.environment,
        "Started": record.started,
        "Seconds": {step: round(seconds, 1) for step, seconds in record.seconds.items()},
        "Command": record.command,
        "Folder": run.name,
        "Repository": record.origin,
    }
    return {name: text for name, value in facts.items() if (text := in_words(value))}


def in_words(value: Any) -> str:
    """A value of a record without brackets and quotes, such as "n_way 5, shots 1"."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(inner)}" for name, inner in value.items() if inner is not None)
    if isinstance(value, list | tuple):
        return " ".join(map(in_words, value))
    return "" if value is None else str(value)
