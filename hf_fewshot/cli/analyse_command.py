"""`hf-fewshot analyse`: look into predictions."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hf_fewshot.cli.findings_output import add_output, check_output, give_out
from hf_fewshot.cli.options import source
from hf_fewshot.cli.own_data import add_own_places


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "analyse",
        help="look into predictions: scores of classes, confused pairs, errors and their causes",
        description="Looks into predictions of any system: scores of each class or type, confused pairs; of relations "
        "also errors by entity types, by order of head and tail and by overlap of words, with tests.",
        epilog="example: hf-fewshot analyse results/* --plot analysis.svg",
    )
    command.add_argument("runs", nargs="+", type=Path, help="folders of runs, of results, or files of predictions")
    command.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")
    add_own_places(command)
    add_output(command)
    command.add_argument(
        "--keep", action="store_true", help="write analysis.json beside each file of predictions, for reports"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the analysis of each file of predictions."""
    import datasets

    from hf_fewshot.runs.analysis_file import FILE_NAME
    from hf_fewshot.runs.predictions import read_header, write_lines

    check_output(options)
    datasets.disable_progress_bars()
    paths = prediction_files(options.runs)
    headers = {path: read_header(path, data_dir=source(options).get("data_dir")) for path in paths}
    findings = {path: analysed(path, header, options) for path, header in headers.items()}
    if options.keep:
        for path, found in findings.items():
            write_lines(path.parent / FILE_NAME, [found.to_json()])
    give_out(list(findings.values()), options)


def prediction_files(places: Iterable[Path]) -> list[Path]:
    """Files of predictions: those named, and those in folders of runs."""
    from hf_fewshot.runs.folder import EARLIER

    found: dict[Path, None] = {}
    for place in places:
        if place.is_dir():
            below = sorted(place.rglob("predictions.jsonl"))
            own = [path for path in below if EARLIER not in path.relative_to(place).parts]
            if not own:
                raise ValueError(
                    f"{place} has no predictions.jsonl. Give the folder of a run that is finished, or a file of "
                    "predictions (docs/predictions.md)."
                )
            found |= dict.fromkeys(own)
        elif place.exists():
            found[place] = None
        else:
            raise ValueError(f"There is no {place}. Give folders of runs or files of predictions.")
    return list(found)


def analysed(path: Path, header: Any, options: argparse.Namespace) -> Any:
    """The findings of one file."""
    from hf_fewshot.runs.analysis_file import run_analysis
    from hf_fewshot.runs.predictions import read_predictions
    from hf_fewshot.runs.run_data import data_of

    data = data_of(header.run, source(options))
    return run_analysis(header.run, data.episodes, read_predictions(path, data.episodes))
