"""`hf-fewshot export`: a benchmark for people without this package, or as a task of lm-evaluation-harness."""

import argparse
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import add_data, add_name, data_options, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.text.visible import visible


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "export",
        help="write a benchmark as Parquet with a card, for people without this package",
        description="Writes all splits as Parquet files with a dataset card and eval.yaml. Plain "
        '`datasets.load_dataset(folder, "3-shot")` reads them. A folder may hold many settings of a benchmark: export '
        "one more into it, those of a recipe, or --all that papers have numbers of.",
        epilog="example: hf-fewshot export fewjoint --shots 3 --sample --output exported/fewjoint",
    )
    add_name(command)
    add_data(command)
    several = command.add_mutually_exclusive_group()
    several.add_argument("--recipe", help="every setting and draw of a recipe (a file, or its name), instead of one")
    several.add_argument("--all", action="store_true", help="every setting of the benchmark with a published number")
    place = command.add_mutually_exclusive_group(required=True)
    place.add_argument("--output", type=Path, help="a new folder, or one with other settings of the benchmark")
    place.add_argument(
        "--lm-eval",
        type=Path,
        metavar="FOLDER",
        help="write a task of lm-evaluation-harness there instead: what a language model is asked in context",
    )
    command.add_argument("--split", help="of --lm-eval: train, validation or test (default: test)")
    command.add_argument("--format", help="of --lm-eval: a prompt format by name, or a YAML file of your own")
    command.add_argument("--dry-run", action="store_true", help="show what would be written, with the card")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the folder, or shows what it would hold."""
    if not options.dry_run:
        write(options)
        return
    name = "output" if options.output is not None else "lm_eval"
    wanted = getattr(options, name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / wanted.name
        if wanted.exists():  # one more setting, or an error
            shutil.copytree(wanted, folder)
        write(argparse.Namespace(**{**vars(options), name: folder}), said=False)
        files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
        print(visible(f"{wanted} would hold:"))
        for one in files:
            print(visible(f"{one.stat().st_size:>14,} bytes  {one.relative_to(folder)}"))
        for one in (one for one in files if one.name == "README.md"):
            print(visible(f"\nREADME.md:\n\n{one.read_text(encoding='utf-8')}"))


def write(options: argparse.Namespace, said: bool = True) -> None:
    """Writes the folder, and says what to do with it."""
    several = options.all or options.recipe is not None
    if options.recipe is None:
        require_benchmark(options)
    elif options.benchmark is not None:
        raise ValueError(f"--recipe names its benchmark, but {options.benchmark} was given too. Leave one out.")
    if options.lm_eval is not None:
        if several:
            raise ValueError("--lm-eval writes one task: --recipe and --all are of --output FOLDER.")
        task = export_task(options)
        command = f"lm_eval run --include_path {shlex.quote(str(options.lm_eval))} --tasks {task}"
        if said:
            print(visible(f"{options.lm_eval} is ready: {command} --model hf --model_args pretrained=<model>"))
        return
    for name in ("split", "format"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} is of --lm-eval FOLDER, but --output was given. Leave it out.")
    left_out = export_several(options) if several else export_one(options)
    command = f"hf-fewshot push {shlex.quote(str(options.output))} --dataset --repo <user>/<name>"
    if said:
        print(visible(f"{options.output} is ready: {command}"))
    if left_out:
        raise CommandError("\n  ".join([f"{len(left_out)} left out:", *left_out]))


def export_one(options: argparse.Namespace) -> list[str]:
    """Writes the setting that the command line names."""
    from hf_fewshot.hub import export_benchmark

    export_benchmark(options.benchmark, options.config, options.output, **data_options(options), **source(options))
    return []


def export_several(options: argparse.Namespace) -> list[str]:
    """Writes the settings of a recipe, or all that have published numbers; why some are left out."""
    from hf_fewshot.hub.settings import export_settings, published_settings, recipe_settings

    if options.config is not None:
        raise ValueError(f"--config {options.config} is of one setting. Leave it out with --recipe and --all.")
    if options.recipe is None:
        settings = published_settings(options.benchmark, **data_options(options), **source(options))
    else:
        settings = recipe_settings(options.recipe, **data_options(options), **source(options))
    return export_settings(settings, options.output)


def export_task(options: argparse.Namespace) -> str:
    """Writes a task of lm-evaluation-harness, and gives its name."""
    from hf_fewshot.harness.lm_eval_export import export_lm_eval

    return export_lm_eval(
        options.benchmark,
        options.config,
        options.lm_eval,
        split=options.split or "test",
        prompt_format=options.format,
        source=source(options),
        **data_options(options),
    )
