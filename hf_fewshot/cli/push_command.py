"""`hf-fewshot push`: results, exported benchmarks and metrics to the Hub."""

import argparse
from pathlib import Path
from typing import Any

from hf_fewshot.cli.demo_command import model_or_run
from hf_fewshot.cli.main import CommandError
from hf_fewshot.cli.options import add_module, import_module
from hf_fewshot.text.visible import visible

# What is pushed beside runs and metrics, and what each takes.
TAKES = {
    "dataset": "one folder that `hf-fewshot export` has written",
    "leaderboard": "one folder that `hf-fewshot leaderboard` has written",
    "demo": "one model, a folder or its id on the Hub",
}


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "push",
        help="upload a model with its records and card, an exported benchmark, a metric, or a demo",
        description="Uploads in one commit, to a private repository unless --public is given. Files of others are "
        "never replaced unless --overwrite is given. The token is that of `hf auth login` or HF_TOKEN.",
        epilog="example: hf-fewshot push results/few_nerd* --repo me/few-nerd-proto --dry-run\n"
        "         hf-fewshot push me/few-nerd-proto --demo --repo me/few-nerd-demo",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("folders", nargs="*", type=Path, help="folders of runs, or one that `export` has written")
    command.add_argument("--repo", required=True, metavar="USER/NAME", help="the repository")
    command.add_argument("--dataset", action="store_true", help="the folder is an exported benchmark")
    command.add_argument("--leaderboard", action="store_true", help="the folder is a leaderboard: a static Space")
    command.add_argument(
        "--demo", action="store_true", help="a page to try a model, as a Space: a folder, or its id on the Hub"
    )
    command.add_argument(
        "--package",
        help="demo: hf_fewshot==VERSION, a wheel, or git+https://...@COMMIT, for the Space (as it is installed here)",
    )
    command.add_argument("--metric", help="upload this metric as a Space instead")
    command.add_argument("--model", type=Path, help="folder of the run whose model is uploaded (default: the median)")
    command.add_argument("--license", help="of the model, such as apache-2.0, for its card")
    command.add_argument("--public", action="store_true", help="a repository that everybody can see")
    command.add_argument(
        "--overwrite", action="store_true", help="replace files that were not uploaded by this command"
    )
    command.add_argument(
        "--create-pr",
        action="store_true",
        help="propose results to the owner of any model: a pull request with records and .eval_results, nothing else",
    )
    command.add_argument("--dry-run", action="store_true", help="show all files and the card, upload nothing")
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Uploads, or shows what would be uploaded."""
    import_module(options)
    from hf_fewshot.hub import HubError, propose_results, push_folder, push_leaderboard, push_metric, push_run

    how = {"private": not options.public, "dry_run": options.dry_run, "overwrite": options.overwrite}
    if options.metric is not None and options.folders:
        raise ValueError(f"--metric {options.metric} and folders exclude each other. Give one.")
    if options.metric is None and not options.folders:
        raise ValueError("Give the folders of runs, an exported benchmark with --dataset, or --metric.")
    kinds = [kind for kind in TAKES if getattr(options, kind)]
    if len(kinds) > 1:
        raise ValueError(f"--{kinds[0]} and --{kinds[1]} exclude each other. Give one.")
    if kinds and len(options.folders) != 1:
        raise ValueError(f"--{kinds[0]} takes {TAKES[kinds[0]]}, got {len(options.folders)}.")
    if options.package is not None and not options.demo:
        raise ValueError(f"--package {options.package} is of --demo, which is not given. Leave it out.")
    if options.create_pr:
        _refuse_beside_proposal(options)
    if options.license is not None and (options.dataset or options.leaderboard or options.metric is not None):
        raise ValueError(f"--license {options.license} is of a model. Leave it out, or push runs.")
    try:
        if options.create_pr:
            push = propose_results(options.folders, options.repo, dry_run=options.dry_run, overwrite=options.overwrite)
        elif options.metric is not None:
            push = push_metric(options.metric, options.repo, **how)
        elif options.dataset:
            push = push_folder(options.folders[0], options.repo, **how)
        elif options.leaderboard:
            push = push_leaderboard(options.folders[0], options.repo, **how)
        elif options.demo:
            from hf_fewshot.demo.space import push_demo
            from hf_fewshot.launching.package_source import PackageSource

            package = PackageSource.read(options.package)
            model = model_or_run(str(options.folders[0]))
            push = push_demo(model, options.repo, package=package, license=options.license, **how)
        else:
            push = push_run(options.folders, options.repo, model=options.model, license=options.license, **how)
    except HubError as error:
        raise CommandError(str(error)) from error
    print(push)
    if options.dry_run:
        head = "Description" if push.is_proposal else "README.md"
        for path, text in {head: push.card, **push.results}.items():
            print(f"\n{visible(path)}:\n\n{visible(text)}")


def _refuse_beside_proposal(options: argparse.Namespace) -> None:
    """A pull request has results and nothing else, in a repository that is as visible as its owner wants."""
    for name in ("dataset", "leaderboard", "demo", "metric", "model", "public"):
        if getattr(options, name):
            raise ValueError(f"--create-pr proposes results alone, but --{name} was given. Leave one of them out.")
