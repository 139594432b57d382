"""`hf-fewshot export`: a benchmark for people without this package, or as a task of lm-evaluation-harness."""

import argparse
import os
import shlex
import tempfile
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
    place = command.add_mutually_exclusive_group(required=True)
    place.add_argument("--output", type=Path, help="a folder that is not there yet")
    place.add_argument(
        "--lm-eval",
        type=Path,
        metavar="FOLDER",
        help="write a task of lm-evaluation-harness there instead: what a language model is asked in context",
    )
    command.add_argument("--split", help="of --lm-eval: train, validation or test (default: test)")
    command.add_argument("--format", help="of --lm-eval: a prompt format by name, or a YAML file of your own")
    command.add_argument(
        "--dry-run", action="store_true", help="show what would be written, with the card; write nothing"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the folder."""
    require_benchmark(options)
    if options.lm_eval is not None:
        export_task(options)
        return
    for name in ("split", "format"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} is of --lm-eval FOLDER, but --output was given. Leave it out.")
    from hf_fewshot.hub.export import export_benchmark, plan_export

    if options.dry_run:
        plan = plan_export(
            options.benchmark, options.config, options.output, **data_options(options), **source(options)
        )
        print(visible(f"{options.output} would be written, before compression:\n{plan}\n\nREADME.md:\n\n{plan.card}"))
        return
    folder = export_benchmark(
        options.benchmark, options.config, options.output, **data_options(options), **source(options)
    )
    command = f"hf-fewshot push {shlex.quote(str(folder))} --dataset --repo <user>/<name>"
    print(visible(f"{folder} is ready: {command}"))


def export_task(options: argparse.Namespace) -> None:
    """Writes a task of lm-evaluation-harness."""
    from hf_fewshot.harness.lm_eval_export import export_lm_eval

    given = {"split": options.split or "test", "prompt_format": options.format, "source": source(options)}
    if options.dry_run:
        if os.path.lexists(options.lm_eval):
            raise ValueError(f"{options.lm_eval} is there already. Name a new folder, or delete it first.")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "task"
            name = export_lm_eval(options.benchmark, options.config, folder, **given, **data_options(options))
            files = "\n".join(f"{one.stat().st_size:>14,} bytes  {one.name}" for one in sorted(folder.iterdir()))
            print(visible(f"{options.lm_eval} would be written, a task {name}:\n{files}"))
        return
    name = export_lm_eval(options.benchmark, options.config, options.lm_eval, **given, **data_options(options))
    command = f"lm_eval run --include_path {shlex.quote(str(options.lm_eval))} --tasks {name}"
    print(visible(f"{options.lm_eval} is ready: {command} --model hf --model_args pretrained=<model>"))
