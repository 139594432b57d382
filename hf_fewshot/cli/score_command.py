"""`hf-fewshot score`: anyone's predictions."""

import argparse
import json
from pathlib import Path
from typing import Any

from hf_fewshot.cli.options import source


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "score",
        help="score a file of predictions, of any system",
        description="Scores predictions in the format of docs/predictions.md. Missing ids, duplicates and unknown "
        "classes are all listed.",
        epilog="example: hf-fewshot score results/*/predictions.jsonl",
    )
    command.add_argument("predictions", nargs="+", type=Path, help="files of predictions")
    command.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")
    command.add_argument("--output", type=Path, help="folder for records, to be shown in reports")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the scores."""
    import datasets

    from hf_fewshot.results.predictions import read_header

    datasets.disable_progress_bars()
    headers = {path: read_header(path) for path in options.predictions}
    records = [scored(path, header, options) for path, header in headers.items()]
    if options.output is not None:
        for record in records:
            record.write(options.output / record.run.name)
    if options.json:
        content = [
            {
                "file": str(path),
                "system": record.run.system,
                "scores": record.scores,
                "intervals": record.intervals,
                "baselines": record.baselines,
                "fingerprint": record.episodes["fingerprint"],
            }
            for path, record in zip(headers, records, strict=True)
        ]
        print(json.dumps(content, ensure_ascii=False))
        return
    from rich.console import Console

    from hf_fewshot.cli.results_table import results_tables

    for table in results_tables(records):
        Console().print(table)


def scored(path: Path, header: Any, options: argparse.Namespace) -> Any:
    """The record of a file of predictions."""
    import datetime

    from hf_fewshot.evaluation.units import measure_episodes
    from hf_fewshot.experiments.data import Data
    from hf_fewshot.experiments.execution import build_record, trivial_scores
    from hf_fewshot.results.environment import environment
    from hf_fewshot.results.predictions import read_predictions

    episodes = Data(header.run, source(options)).episodes
    predictions = read_predictions(path, episodes)
    return build_record(
        header.run,
        episodes,
        predictions,
        measure_episodes(episodes, predictions),
        trivial_scores(episodes),
        environment=environment(1, "no"),
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        seconds={},
        command=options.command_line,
    )
