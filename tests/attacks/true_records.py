"""Whether records on disk are true, judged without the code that wrote them."""

import json
import math
from pathlib import Path
from typing import Any

from tests.attacks.verdict import End, Verdict

PASSING_FIELDS = ("seconds", "started")


def false_records(folder: Path) -> Verdict:
    """A verdict over all records below a folder: each score must follow from its units and lie between 0 and 1."""
    for path in sorted(folder.rglob("record.json")):
        problem = falsehood(json.loads(path.read_text(encoding="utf-8")))
        if problem:
            return Verdict(End.WRONG_NUMBER, f"{path.parent.name}: {problem}")
    return Verdict(End.FINE)


def falsehood(record: dict[str, Any]) -> str:
    """What is wrong with a record, or nothing."""
    score = record["scores"][record["measure"]]
    total = math.fsum(record["denominators"])
    found = math.fsum(record["numerators"]) / total if total else 0.0
    if not 0 <= score <= 1 or abs(score - found) > 1e-6:
        return f"score {score}, but its units give {found}"
    if not record["units"] or record["episodes"]["n_queries"] < 1:
        return f"score {score} of nothing"
    return ""


def lasting(path: Path) -> dict[str, Any]:
    """A record without what differs from one run of a command to the next; code may be committed in between."""
    content = json.loads(path.read_text(encoding="utf-8"))
    content["environment"].pop("commit", None)
    return {name: value for name, value in content.items() if name not in PASSING_FIELDS}
