"""Records made by hand."""

from typing import Any

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


def make_record(**changes: Any) -> Record:
    """A record with a score of 0.5 over two episodes; any field can be given."""
    fields = {
        "run": Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1}),
        "task": "tagging",
        "measure": "f1",
        "scores": {"f1": 0.5, "n_correct": 2},
        "intervals": {"f1": (0.25, 0.75)},
        "confidence_level": 0.95,
        "unit": "episode",
        "units": ["0", "1"],
        "numerators": [2.0, 2.0],
        "denominators": [4.0, 4.0],
        "baselines": {"no_entity": 0.0},
        "confusion": None,
        "episodes": {"fingerprint": "f" * 64, "n_episodes": 2, "n_queries": 4, "official": True},
        "environment": {"versions": {}},
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": {"predict": 1.0},
        "command": "hf-fewshot run",
    }
    return Record(**(fields | changes))
