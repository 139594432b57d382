"""`hf-fewshot score`: anyone's predictions."""

import argparse
import json
from pathlib import Path
from typing import Any

from hf_fewshot.cli.options import source
from hf_fewshot.cli.own_data import add_own_places


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
    add_own_places(command)
    command.add_argument("--output", type=Path, help="folder for records, to be shown in reports")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the scores."""
    import datasets

    from hf_fewshot.runs.predictions import read_header

    datasets.disable_progress_bars()
    headers = {path: read_header(path, data_dir=source(options).get("data_dir")) for path in options.predictions}
    if options.output is not None or not options.json:
        refuse_doubles(headers)
    results = {path: scored(path, header, options) for path, header in headers.items()}
    records = {path: record for path, (record, _) in results.items()}
    if options.output is not None:
        write(results, options.output)
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
            for path, record in records.items()
        ]
        print(json.dumps(content))  # as ASCII: names of systems come from files of others
        return
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.results_table import results_tables

    for table in results_tables(records.values()):
        console().print(table)


def refuse_doubles(headers: dict[Path, Any]) -> None:
    """Files that name the same system, data and seed would be one line of a table, or one record."""
    first: dict[str, Path] = {}
    for path, header in headers.items():
        other = first.setdefault(header.run.digest, path)
        if other != path:
            raise ValueError(
                f"{other} and {path} both have predictions of system {header.run.system!r} for the same data, with "
                f"seed {header.seed}. Give each a system or seed of its own in its header, or score them one by one."
            )


def scored(path: Path, header: Any, options: argparse.Namespace) -> tuple[Any, Any]:
    """The record of a file of predictions, and their analysis where both are to be written."""
    import datetime

    from hf_fewshot.runs.analysis_file import run_analysis
    from hf_fewshot.runs.environment import environment
    from hf_fewshot.runs.execution import build_record
    from hf_fewshot.runs.predictions import read_predictions
    from hf_fewshot.runs.run_data import data_of

    data = data_of(header.run, source(options))
    predictions = read_predictions(path, data.episodes)
    record = build_record(
        header.run,
        data,
        predictions,
        environment=environment(1, "no", None),
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        seconds={},
        command=options.command_line,
    )
    return record, None if options.output is None else run_analysis(header.run, data.episodes, predictions)


def write(results: dict[Path, tuple[Any, Any]], output: Path) -> None:
    """Writes all records with their analyses, unless one would replace that of other predictions."""
    from hf_fewshot.runs.analysis_file import FILE_NAME as ANALYSIS
    from hf_fewshot.runs.predictions import write_lines
    from hf_fewshot.runs.record import FILE_NAME, Record

    for path, (record, _) in results.items():
        folder = output / record.run.name
        if not (folder / FILE_NAME).exists():
            continue
        there = Record.read(folder)
        if (there.units, there.numerators, there.scores) != (record.units, record.numerators, record.scores):
            raise ValueError(
                f"{folder} has a record of other predictions by system {record.run.system!r} already, which that of "
                f"{path} would replace. Give another --output, or another system in the header of the file."
            )
    for record, findings in results.values():
        folder = output / record.run.name
        folder.mkdir(parents=True, exist_ok=True)
        write_lines(folder / ANALYSIS, [findings.to_json()])
        record.write(folder)
