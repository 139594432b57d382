"""`hf-fewshot show`: look at a benchmark."""

import argparse
import re
import zlib
from typing import Any

from hf_fewshot.cli.options import add_data, data_options, source
from hf_fewshot.cli.own_data import choose_benchmark, require_benchmark
from hf_fewshot.registry import BENCHMARKS

# The first of these that there is, unless told otherwise.
SPLITS = ("test", "validation", "train")
COLOURS = ("green", "cyan", "magenta", "yellow", "blue", "red")
MARKED = re.compile(r"\[[^\[\]|]+\|([^\[\]|]+)\]")


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "show",
        help="look at an episode (or an example) of a benchmark, or of all of them",
        description="Prints one row of a benchmark: an episode with its support and query sets, or an example.",
        epilog="example: hf-fewshot show fewrel --sample --n-way 3 -o domain=pubmed --index 2",
    )
    command.add_argument("benchmark", nargs="?", choices=sorted(BENCHMARKS), help="default: all")
    add_data(command)
    command.add_argument("--split", help="train, validation or test")
    command.add_argument("--index", type=int, default=0, help="number of the row (default: 0)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints one row of each benchmark asked for."""
    import datasets
    from rich.console import Console

    from hf_fewshot.cli.plain_table import plain

    choose_benchmark(options)
    if options.data is not None:
        require_benchmark(options)
    datasets.disable_progress_bars()
    console = Console(soft_wrap=True, highlight=False)
    for name in [options.benchmark] if options.benchmark else sorted(BENCHMARKS):
        title, text = row(name, options)
        console.print(plain(title), style="bold")
        console.print(coloured(text))
        console.print()


def row(name: str, options: argparse.Namespace) -> tuple[str, str]:
    """A title and a row as text."""
    from hf_fewshot.cli.display import render_row
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.loading import load_dataset

    builder = builder_of(name)
    # The defaults belong together: another configuration begins without them.
    defaults = dict(builder.SHOWN) if options.config in (None, builder.SHOWN.get("config")) else {}
    config = options.config or defaults.pop("config", None)
    if config is None and builder.DEFAULT_CONFIG_NAME is None:
        config = next(iter(builder.builder_configs))
    chosen = {**defaults, **data_options(options), **source(options)}
    rows = load_dataset(name, config, **{key: value for key, value in chosen.items() if key != "config"})
    split = options.split or next((one for one in SPLITS if one in rows), next(iter(rows)))
    if split not in rows:
        raise ValueError(f"split={split!r}, but {name} has the splits {', '.join(rows)} here.")
    table = rows[split]
    if not 0 <= options.index < len(table):
        raise ValueError(f"--index {options.index}, but split {split!r} of {name} has {len(table)} rows.")
    title = f"{name}{'/' + config if config else ''} {split}: {len(table)} rows"
    return title, render_row(builder.TASK, table[options.index])


def coloured(text: str) -> Any:
    """The text with a colour for each label of marked spans, always the same for the same label."""
    from hf_fewshot.cli.plain_table import plain

    shown = plain(text)
    for found in MARKED.finditer(shown.plain):
        shown.stylize(COLOURS[zlib.crc32(found.group(1).encode()) % len(COLOURS)], *found.span())
    return shown
