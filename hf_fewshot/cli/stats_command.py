"""`hf-fewshot stats`: what the data of a benchmark holds."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.findings_output import add_output, check_output, give_out
from hf_fewshot.cli.options import add_data, add_name, data_options, source
from hf_fewshot.cli.own_data import require_benchmark


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "stats",
        help="tables and figures of a benchmark's data",
        description="Counts examples, words, classes and entities by split, and what else the paper of a benchmark "
        "counts; with n_way and shots, or released episodes, also support and query sets. For any data in the same "
        "formats.",
        epilog="example: hf-fewshot stats few_nerd --sample --plot types.svg",
    )
    add_name(command)
    add_data(command)
    add_output(command)
    command.add_argument(
        "--beside", type=Path, help="JSON of other data (--output of this command): its frequencies are drawn beside"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the tables."""
    import datasets

    from hf_fewshot.analyses.beside import beside
    from hf_fewshot.analyses.data_statistics import data_statistics
    from hf_fewshot.analyses.findings import read_findings

    check_output(options)
    require_benchmark(options)
    datasets.disable_progress_bars()
    others = read_findings(options.beside) if options.beside is not None else []
    found = data_statistics(options.benchmark, options.config, data_options(options), **source(options))
    give_out([beside(found, others)], options)
