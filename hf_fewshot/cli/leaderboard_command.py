"""`hf-fewshot leaderboard`: a static site that ranks systems by their records."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.main import CommandError
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "leaderboard",
        help="a static site that ranks systems by their records",
        description="Makes a folder of HTML pages from records: per benchmark a table to sort and filter, with "
        "intervals, places that say which systems cannot be told apart, curves, published numbers and trivial "
        "baselines, and a page for each system. Open index.html, or push the folder as a static Space.",
        epilog="example: hf-fewshot leaderboard results --output leaderboard\n"
        "         hf-fewshot push leaderboard --leaderboard --repo me/few-shot-leaderboard",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("results", nargs="*", help="folders of results, and repositories such as someone/name")
    command.add_argument(
        "--tagged", action="store_true", help="also all model repositories on the Hub with the tag that push gives"
    )
    command.add_argument(
        "--output", type=Path, default=Path("leaderboard"), help="the folder of the site (default: leaderboard)"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the site."""
    from hf_fewshot.files.hub_tag import tagged_models
    from hf_fewshot.leaderboard import write_site
    from hf_fewshot.runs.folder import find_records

    places = [*options.results, *(f"hf://{name}" for name in tagged_models())] if options.tagged else options.results
    if not places:
        raise ValueError("Give folders of results or repositories, or --tagged for those on the Hub.")
    found = find_records(*places)
    if not found.records:
        where = ", ".join(places)
        raise ValueError("\n".join([f"No records in {where}. hf-fewshot run makes some.", *found.left_out]))
    write_site(found.records.values(), options.output, found.left_out)
    print(visible(f"{len(found.records)} records in {options.output}; open {options.output / 'index.html'}"))
    if found.left_out:
        raise CommandError("\n  ".join([f"{len(found.left_out)} left out:", *found.left_out]))
