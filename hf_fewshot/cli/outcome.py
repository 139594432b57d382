"""What is printed when runs have ended, beside their table."""

import argparse
import json
from pathlib import Path
from typing import Any

from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible


def print_outcome(table: Any, options: argparse.Namespace) -> None:
    """The records of a `LiveTable` as JSON, where that is asked for; else what became of the answers of models."""
    from hf_fewshot.cli.answer_counts import answer_lines

    if options.json:
        print(json.dumps([described(record, options.output, record in table.read) for record in table.records]))
        return
    for line in answer_lines(table.records):
        print(visible(redacted(line), keep=""))


def described(record: Any, output: Path, was_read: bool) -> dict[str, Any]:
    """A record in short, and whether it was there already."""
    return {
        "folder": str(output / record.run.name),
        "system": record.run.system,
        "seed": record.run.seed,
        "measure": record.measure,
        "score": record.score,
        "interval": record.intervals.get(record.measure),
        "scores": record.scores,
        "baselines": record.baselines,
        "answers": record.answers,
        "started": record.started,
        "was_read": was_read,
    }


def silence_libraries() -> None:
    """Runs have their own bars and warnings."""
    import datasets
    import transformers

    datasets.disable_progress_bars()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
