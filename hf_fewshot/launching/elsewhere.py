"""What keeps a run from being made on a machine that sees nothing of this one."""

import importlib.util
import os
from collections.abc import Mapping, Sequence

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS
from hf_fewshot.labelled.hub import is_hub_name
from hf_fewshot.runs.run import Run


def problems_elsewhere(runs: Sequence[Run], places: Mapping[str, str]) -> list[str]:
    """A sentence for each thing that jobs would look for in vain.

    Args:
        places: of data, as they were given, by the names of options.
    """
    found = [_of_place(option, place) for option, place in places.items()]
    for run in runs:
        found += [_of_data(run, places), *_of_models(run)]
    return list(dict.fromkeys(filter(None, found)))


def extras_of(runs: Sequence[Run]) -> list[str]:
    """The extras of this package that runs take."""
    embedded = any(name in ENCODERS for run in runs for name in _models(run))
    # It is small, and what is not here no run has asked for.
    tuning = importlib.util.find_spec("peft") is not None
    return [name for name, taken in (("embedded", embedded), ("tuning", tuning)) if taken]


def _of_place(option: str, place: str) -> str | None:
    if option == "--data-dir":
        return (
            f"--data-dir {place} is a folder of this machine, which jobs do not see. Leave it out where the data can "
            "be downloaded, or give --sample."
        )
    if not is_hub_name(place) or os.path.exists(place):
        return (
            f"{option} {place} is a file of this machine, which jobs do not see. Upload it to a private dataset of "
            f"the Hub, and give {option} hub:user/name."
        )
    return None


def _of_data(run: Run, places: Mapping[str, str]) -> str | None:
    builder = builder_of(run.benchmark)
    if run.data.get("sample") or (builder.OWN_DATA and "--data" in places):
        return None
    repository = builder.REPOSITORY
    if builder.OWN_DATA:
        return f"{run.benchmark} reads data of your own: give --data hub:user/name, or --sample."
    if not builder.MAY_BE_PUBLISHED or (repository.url is None and not repository.archives):
        return (
            f"{run.benchmark} is licensed data that cannot be downloaded, and must not be uploaded: only runs on "
            "--sample can be jobs of the Hub. Run it here, or on a cluster of yours with --launcher slurm."
        )
    return None


def _of_models(run: Run) -> list[str]:
    found = []
    for name in _models(run):
        if name in CAUSAL_LMS:
            found.append(f"model={name!r} is installed by hand. Jobs take a model of the Hub instead.")
        elif os.path.isdir(name):
            found.append(
                f"model={name!r} is a folder of this machine, which jobs do not see. Upload it to a private model "
                "repository, and give its Hub id."
            )
    return found


def _models(run: Run) -> list[str]:
    return [name for name in (run.model, run.options.get("encoder")) if isinstance(name, str)]
