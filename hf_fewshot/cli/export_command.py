"""`hf-fewshot export`: a benchmark as Parquet files for everyone."""

import argparse
import shlex
from pathlib import Path
from typing import Any

from hf_fewshot.cli.options import add_data, add_name, data_options, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "export",
        help="write a benchmark as Parquet with a card, for people without this package",
        description="Writes all splits as Parquet files with a dataset card and eval.yaml. Plain "
        "`datasets.load_dataset(folder)` reads them.",
        epilog="example: hf-fewshot export fewjoint --shots 3 --sample --output fewjoint-3-shot",
    )
    add_name(command)
    add_data(command)
    command.add_argument("--output", required=True, type=Path, help="a folder that is not there yet")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the folder."""
    from hf_fewshot.hub import export_benchmark

    require_benchmark(options)
    folder = export_benchmark(
        options.benchmark, options.config, options.output, **data_options(options), **source(options)
    )
    command = f"hf-fewshot push {shlex.quote(str(folder))} --dataset --repo <user>/<name>"
    print(visible(f"{folder} is ready: {command}"))
