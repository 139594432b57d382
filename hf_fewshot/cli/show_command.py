"""`hf-fewshot show`: look at a benchmark."""

import argparse
import re
import zlib
from typing import Any

from hf_fewshot.cli.completion import completed, models
from hf_fewshot.cli.options import add_data, add_name, add_pairs, data_options, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.registry import BENCHMARKS

# The first of these that there is, unless told otherwise.
SPLITS = ("test", "validation", "train")
COLOURS = ("green", "cyan", "magenta", "yellow", "blue", "red")
EPILOG = """\
examples:
  hf-fewshot show fewrel --sample --n-way 3 -o domain=pubmed --index 2
  hf-fewshot show clues --config sst2 --shots 10 --sample --prompt --query 3 --model SmolLM2-135M-Instruct"""
MARKED = re.compile(r"\[[^\[\]|]+\|([^\[\]|]+)\]")


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "show",
        help="look at an episode (or an example) of a benchmark",
        description="Prints one row of a benchmark: an episode with its support and query sets, or an example.\n"
        "With --prompt, exactly what a language model is asked about a query.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_name(command)
    add_data(command)
    command.add_argument("--split", help="train, validation or test")
    command.add_argument("--index", type=int, default=0, help="number of the row (default: 0)")
    prompt = command.add_argument_group("what a language model is asked (docs/in_context.md)")
    prompt.add_argument("--prompt", action="store_true", help="print the prompt of a query of the episode --index")
    prompt.add_argument("--query", type=int, default=0, help="number of the query in its episode (default: 0)")
    prompt.add_argument("--format", help="a prompt format by name, or a YAML file (default: that of the benchmark)")
    prompt.add_argument("--chat", action="store_true", help="as a conversation, by the chat template of --model")
    of_model = prompt.add_argument(
        "--model", help="a model of this machine, which counts tokens; its weights are not loaded"
    )
    completed(of_model, models)
    add_pairs(prompt, "--method-option", help="any option of in_context, such as demonstrations=bm25")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints one row of the benchmark."""
    if options.benchmark is None and options.data is None and options.task is None:
        names = ", ".join(sorted(BENCHMARKS))
        raise ValueError(f"Show what? Name one of {names}, or give data of your own: --data FILE --task TASK.")
    import datasets

    from hf_fewshot.cli.console import console
    from hf_fewshot.cli.plain_table import plain

    require_benchmark(options)
    datasets.disable_progress_bars()
    screen = console(soft_wrap=True, highlight=False)
    if options.prompt:
        print_prompt(screen, options)
        return
    refuse_without_prompt(options)
    title, text = row(options.benchmark, options)
    screen.print(plain(title), style="bold")
    screen.print(coloured(text))
    screen.print()


def print_prompt(screen: Any, options: argparse.Namespace) -> None:
    """Prints what a query is asked, and below what is known of it."""
    from rich.text import Text

    from hf_fewshot.cli.plain_table import plain
    from hf_fewshot.cli.shown_prompt import shown_prompt
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.benchmark_data import Data
    from hf_fewshot.text.visible import visible

    name = options.benchmark
    config, chosen = shown_data(name, options)
    split = options.split or next(one for one in SPLITS if one in builder_of(name).SPLITS)
    data = Data(name, config, chosen, split, source=source(options))
    title, text, known = shown_prompt(data, options)
    screen.print(plain(title), style="bold")
    screen.print(Text(visible(text, keep="\n\t")))
    screen.print(plain(known), style="dim")


def refuse_without_prompt(options: argparse.Namespace) -> None:
    """Refuses options of a prompt where none is asked for."""
    given = {"--query": options.query, "--format": options.format, "--chat": options.chat, "--model": options.model}
    for name, value in {**given, "--method-option": options.method_option}.items():
        if value:
            raise ValueError(f"{name} is of --prompt, which is not given. Add --prompt, or leave it out.")


def shown_data(name: str, options: argparse.Namespace) -> tuple[str | None, dict[str, Any]]:
    """The configuration and the options of the data: those that are given, else those that a benchmark is shown with.

    The defaults belong together: another configuration begins without them.
    """
    from hf_fewshot.data.benchmark import builder_of

    builder = builder_of(name)
    defaults = dict(builder.SHOWN) if options.config in (None, builder.SHOWN.get("config")) else {}
    config = options.config or defaults.pop("config", None)
    if config is None and builder.DEFAULT_CONFIG_NAME is None:
        config = next(iter(builder.builder_configs))
    chosen = {**defaults, **data_options(options)}
    return config, {key: value for key, value in chosen.items() if key != "config"}


def row(name: str, options: argparse.Namespace) -> tuple[str, str]:
    """A title and a row as text."""
    from hf_fewshot.cli.display import render_row
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.loading import load_dataset

    config, chosen = shown_data(name, options)
    rows = load_dataset(name, config, **chosen, **source(options))
    split = options.split or next((one for one in SPLITS if one in rows), next(iter(rows)))
    if split not in rows:
        raise ValueError(f"split={split!r}, but {name} has the splits {', '.join(rows)} here.")
    table = rows[split]
    if not 0 <= options.index < len(table):
        raise ValueError(f"--index {options.index}, but split {split!r} of {name} has {len(table)} rows.")
    title = f"{name}{'/' + config if config else ''} {split}: {len(table)} rows"
    return title, render_row(builder_of(name).TASK, table[options.index])


def coloured(text: str) -> Any:
    """The text with a colour for each label of marked spans, always the same for the same label."""
    from hf_fewshot.cli.plain_table import plain

    shown = plain(text)
    for found in MARKED.finditer(shown.plain):
        shown.stylize(COLOURS[zlib.crc32(found.group(1).encode()) % len(COLOURS)], *found.span())
    return shown
