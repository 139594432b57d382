"""`hf-fewshot verify`: what episodes keep of their promises."""

import argparse
import json
from typing import Any

from hf_fewshot.cli.options import add_benchmark, data_options, source
from hf_fewshot.cli.own_data import require_benchmark


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "verify",
        help="check episodes: enough shots, minimal support, no overlap",
        description="Checks every episode of a split and prints what was found; released data is reported on, never "
        "rejected.",
        epilog="example: hf-fewshot verify fewjoint --sample --shots 3 --split train",
    )
    add_benchmark(command)
    command.add_argument("--compat", choices=["original"], help="count labels as the platform that released them did")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Prints the findings."""
    from hf_fewshot.data.loading import load_episodes
    from hf_fewshot.episodes.verification import PROBLEMS, verify

    require_benchmark(options)
    episodes = load_episodes(
        options.benchmark, options.config, split=options.split, **data_options(options), **source(options)
    )
    found = verify(episodes, compat=options.compat)
    if not options.json:
        print(found)
        return
    content = {
        "n_episodes": len(found.checks),
        "n_examples": found.n_examples,
        "examples_fingerprint": found.examples_fingerprint,
        "episodes_fingerprint": found.episodes_fingerprint,
        "repeated_episodes": found.repeated_episodes,
        **{problem: [check.index for check in found.having(problem)] for problem in PROBLEMS},
    }
    print(json.dumps(content))
