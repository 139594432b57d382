"""`hf-fewshot merge`: parts of runs to records."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import add_module, source
from hf_fewshot.cli.own_data import add_own_places

EPILOG = """\
examples:
  hf-fewshot run --benchmark few_nerd --config inter --n-way 5 --shots 1 --n-episodes 100 --sample \\
      --method proto --model all-MiniLM-L6-v2 --episodes 0:50    # on one machine; on another --episodes 50:100
  hf-fewshot merge results                                       # the record that one run of all would have made

Parts of one run must be of the same data, code, weights and versions, and make up all of its episodes, each once."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "merge",
        help="one record of the parts of a run",
        description="Makes the records of runs of which all episodes were run in parts (hf-fewshot run --episodes).",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("places", nargs="+", type=Path, help="folders with parts, of one machine or several")
    command.add_argument("--output", type=Path, help="folder of results (default: the first place)")
    command.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")
    add_own_places(command)
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the records, and names what is missing of the others."""
    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.results_table import results_tables
    from hf_fewshot.runs.claim import ChangedError
    from hf_fewshot.runs.episode_part import EpisodePart, PartError, grouped, part_files
    from hf_fewshot.runs.merging import merge

    files = part_files(*options.places)
    if not files:
        where = ", ".join(map(str, options.places))
        raise ValueError(f"No parts in {where}. hf-fewshot run --episodes A:B makes some.")
    results = options.output or options.places[0]
    records, problems = [], []
    runs = grouped([EpisodePart.read(path) for path in files])
    for parts in runs:
        try:
            records.append(merge(parts, results, source=source(options)))
        except (PartError, ChangedError) as error:
            problems.append(str(error))
    for table in results_tables(records):
        console().print(table)
    if problems:
        raise CommandError(f"{len(problems)} of {len(runs)} runs were not merged:\n  " + "\n  ".join(problems))
