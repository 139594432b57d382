"""What is said to Hugging Face Jobs on the command line."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.job_words import given_places, job_words

if TYPE_CHECKING:
    from hf_fewshot.launching.hub_jobs import HubJobs

FLAVOR, TIMEOUT = "cpu-basic", "1h"
FLAGS = ("--repo", "--flavor", "--timeout", "--namespace", "--image", "--package", "--secret", "--keep-models")


def add(command: argparse.ArgumentParser) -> None:
    """Options that only this launcher has."""
    command.add_argument("--repo", metavar="USER/NAME", help="jobs: the dataset repository for results")
    command.add_argument("--flavor", help=f"jobs: the hardware, such as t4-small or a10g-large ({FLAVOR})")
    command.add_argument("--timeout", metavar="TIME", help=f"jobs: of each, such as 30m or 2h ({TIMEOUT})")
    command.add_argument("--namespace", help="jobs: the user or organization that pays (you)")
    command.add_argument("--image", help="jobs: a Docker image with uv (uv's own with this version of Python)")
    command.add_argument(
        "--package", help="jobs: hf_fewshot==VERSION, a wheel, or git+https://...@COMMIT (as it is installed here)"
    )
    command.add_argument(
        "--secret",
        action="append",
        default=[],
        metavar="NAME",
        help="jobs: an environment variable that they get as a secret, such as OPENAI_API_KEY; HF_TOKEN always is one",
    )
    command.add_argument("--keep-models", action="store_true", help="jobs: trained models go to the repository too")


def launcher(options: argparse.Namespace, runs: Sequence[Any], at_once: int, runs_per_job: int) -> "HubJobs":
    """How the runs of a command line are submitted: with all that they need of this machine, or not at all."""
    from hf_fewshot.launching.elsewhere import extras_of, problems_elsewhere
    from hf_fewshot.launching.hub_jobs import HubJobs
    from hf_fewshot.launching.package_source import PackageSource
    from hf_fewshot.launching.prices import seconds_of
    from hf_fewshot.launching.shipped_files import shipped_files
    from hf_fewshot.runs.planning import refuse

    if options.repo is None:
        raise ValueError(
            "--launcher jobs needs a dataset repository for results: --repo USER/NAME. It is made private."
        )
    if options.again:
        raise ValueError(
            "--again and --launcher jobs exclude each other: results come back only where there are none. Move the "
            "folders of these runs elsewhere, and take another --repo."
        )
    places = {place: given for place, given in given_places(options).items() if place != "--output"}
    refuse(problems_elsewhere(runs, places))
    return HubJobs(
        job_words(options, places),
        at_once,
        runs_per_job,
        repository=options.repo,
        package=PackageSource.read(options.package),
        flavor=options.flavor or FLAVOR,
        timeout=seconds_of(options.timeout or TIMEOUT),
        namespace=options.namespace,
        image=options.image,
        secrets=options.secret,
        extras=extras_of(runs),
        models=options.keep_models,
        files=shipped_files(runs, options.recipes, options.module, Path.cwd()),
    )
