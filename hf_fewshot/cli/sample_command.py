"""`hf-fewshot sample`: episodes to a file."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.options import add_benchmark, data_options, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "sample",
        help="write the episodes of a benchmark to a file",
        description="Writes episodes as whole, readable rows; the same options give the same episodes anywhere.",
        epilog="example: hf-fewshot sample few_nerd --config inter --n-way 5 --shots 1 --n-episodes 100 "
        "-o seed=7 --sample --output episodes.jsonl",
    )
    add_benchmark(command)
    command.add_argument("--output", required=True, type=Path, help="a .jsonl or .parquet file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the file; it appears when it is whole."""
    if options.output.suffix not in (".jsonl", ".parquet"):
        raise ValueError(f"--output {options.output}: expected a name that ends with .jsonl or .parquet.")
    from datasets import Dataset

    from hf_fewshot.data.loading import load_episodes
    from hf_fewshot.files.whole_file import whole_file
    from hf_fewshot.progress import bar
    from hf_fewshot.runs.predictions import write_lines
    from hf_fewshot.tasks.schemas import episode_features

    require_benchmark(options)
    episodes = load_episodes(
        options.benchmark, options.config, split=options.split, **data_options(options), **source(options)
    )
    rows = bar(episodes.rows(), total=len(episodes), unit="episode", desc="sample")
    if options.output.suffix == ".jsonl":
        write_lines(options.output, rows)
    else:
        with whole_file(options.output) as unfinished:
            columns = episodes.examples.features.items()
            extra = {name: kind for name, kind in columns if name not in episodes.kind.columns}
            table = Dataset.from_list(list(rows), features=episode_features(episodes.task, extra))
            table.to_parquet(unfinished)
    print(visible(f"{len(episodes)} episodes, fingerprint {episodes.fingerprint}, in {options.output}"))
