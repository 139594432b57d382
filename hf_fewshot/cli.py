"""The command line: `hf-fewshot`."""

import argparse
import json
import sys
from typing import Any

from hf_fewshot.registry import BENCHMARKS

# What `show` shows of each benchmark unless told otherwise.
DEFAULTS: dict[str, dict[str, Any]] = {
    "clues": {"config": "conll03", "split": "test"},
    "few_nerd": {"config": "inter", "split": "test", "n_way": 5, "shots": 1, "n_episodes": 20},
    "fewjoint": {"split": "test", "shots": 3},
    "fewrel": {"split": "validation", "n_way": 5, "shots": 1, "nota_rate": 0.5, "n_episodes": 20},
    "fs_tacred": {"split": "test", "n_way": 5, "shots": 1, "n_episodes": 20},
}


def show(options: argparse.Namespace) -> None:
    """Prints one row of each benchmark asked for."""
    import datasets

    from hf_fewshot.display import render_row
    from hf_fewshot.loading import load_dataset
    from hf_fewshot.registry import resolve

    datasets.disable_progress_bars()
    for name in [options.benchmark] if options.benchmark else sorted(BENCHMARKS):
        # The defaults belong together: another configuration begins without them.
        defaults = dict(DEFAULTS[name]) if options.config in (None, DEFAULTS[name].get("config")) else {}
        split = options.split or defaults.pop("split", "test")
        config = options.config or defaults.pop("config", None)
        given = {"data_dir": options.data_dir, "sample": options.sample or None, **dict(options.option)}
        chosen = {key: value for key, value in {**defaults, **given}.items() if value is not None}
        rows = load_dataset(
            name, config, **{key: value for key, value in chosen.items() if key not in ("split", "config")}
        )
        if split not in rows:
            raise ValueError(f"split={split!r}, but {name} has the splits {', '.join(rows)} here.")
        table = rows[split]
        if not 0 <= options.index < len(table):
            raise ValueError(f"--index {options.index}, but split {split!r} of {name} has {len(table)} rows.")
        print(f"{name}{'/' + config if config else ''} {split}: {len(table)} rows")
        print(render_row(resolve(BENCHMARKS[name]).TASK, table[options.index]) + "\n")


def key_value(text: str) -> tuple[str, Any]:
    """`key=value`; the value is JSON where it can be, else a string."""
    key, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"expected key=value, got {text!r}")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser("hf-fewshot", description="Few-shot language understanding on Hugging Face.")
    commands = top.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("show", help="look at an episode (or an example) of a benchmark, or of all of them")
    command.add_argument("benchmark", nargs="?", choices=sorted(BENCHMARKS), help="default: all")
    command.add_argument("--config", help="configuration, such as inter or conll03")
    command.add_argument("--split", help="train, validation or test")
    command.add_argument("--index", type=int, default=0, help="number of the row (default: 0)")
    command.add_argument("--sample", action="store_true", help="use the sample data of this project")
    command.add_argument("--data-dir", help="folder with the authors' files")
    command.add_argument(
        "-o",
        "--option",
        type=key_value,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="any option of load_dataset",
    )
    command.set_defaults(run=show)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; a wrong request ends with a message and exit code 2."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (ValueError, OSError) as error:
        print(f"hf-fewshot: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
