"""`hf-fewshot autoload`: the names of benchmarks and metrics without `import hf_fewshot`."""

import argparse
from typing import Any

from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "autoload",
        help="let load_dataset and evaluate.load know our names without an import",
        description='With it on, load_dataset("fewjoint") and evaluate.load("s1") work in every Python of this '
        "environment as if `import hf_fewshot` stood before them. It adds a small file that waits for datasets or "
        "evaluate, and nothing else; it is off unless it was turned on.",
        epilog="example: hf-fewshot autoload on",
    )
    command.add_argument("what", choices=("on", "off", "status"), help="turn it on or off, or say what it is")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Changes the environment, or looks at it."""
    from hf_fewshot.autoload import found, is_current, turn_off, turn_on

    if options.what == "on":
        print(visible(f"autoload is on: {turn_on()}"))
    elif options.what == "off":
        removed = turn_off()
        print(visible("\n".join(["autoload is off", *(f"removed {path}" for path in removed)])))
    else:
        lines = [
            f"autoload is on: {path}"
            + ("" if is_current(path) else " (of another version: hf-fewshot autoload on replaces it)")
            for path in found()
        ]
        print(visible("\n".join(lines or ["autoload is off"])))
