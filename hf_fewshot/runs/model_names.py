"""The models that runs name: embedded ones, folders, models of the Hub."""

import os
from difflib import get_close_matches
from pathlib import Path

from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id

from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS, installed
from hf_fewshot.files.hub_models import CONFIG, cached_model
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.own_code import is_ours
from hf_fewshot.runs.run import Run, is_remote

# So near to the name of an embedded model that it was meant.
NEAR = 0.8


def loaded_model(run: Run) -> str | None:
    """The model that a run loads on this machine; None: it needs none, asks an endpoint, or is a system of others.

    What a system of others takes for the name of a model, only it knows.
    """
    entry = SYSTEMS[run.method]
    own = is_ours(entry.reference.partition(":")[0]) and entry.needs and not is_remote(run)
    return run.model if own else None


def check_model_name(name: str) -> None:
    """Raises ValueError for a name that can be no model; nobody is asked."""
    if name in ENCODERS or name in CAUSAL_LMS:
        return
    if os.path.isdir(name) or _is_path(name):
        _check_folder(name)
        return
    try:
        validate_repo_id(name)
    except HFValidationError:
        raise ValueError(
            f"model={name!r} is no folder here, and no name that a model of the Hub can have. Give the name of an "
            f"embedded model ({', '.join((*ENCODERS, *CAUSAL_LMS))}), a folder or a Hub id."
        ) from None
    meant = _meant(name)
    # The Hub's models without an owner are old and few; none of them is called nearly as an embedded one.
    if meant is not None and "/" not in name and cached_model(name) is None:
        raise ValueError(f"Unknown model {name!r}. Did you mean {meant!r}?")


def model_folder(name: str) -> Path | None:
    """Where the configuration of a model is on this machine; None: it is not there."""
    if name in ENCODERS:
        return installed(name)
    if name in CAUSAL_LMS:
        installed(name)
        return None  # a GGUF file, which is converted when it is first used
    return Path(name) if os.path.isdir(name) else cached_model(name)


def _is_path(name: str) -> bool:
    return name.startswith((".", "~", os.sep)) or "\\" in name or name.count("/") > 1


def _check_folder(name: str) -> None:
    if name.startswith("~"):
        raise ValueError(f"model={name!r}: a name is taken as it is. Write the folder in full.")
    folder = Path(name)
    if not folder.is_dir():
        what = "a file" if folder.exists() else "no folder that is there"
        raise ValueError(f"model={name!r} is {what}. Give the folder of a model, with its {CONFIG}.")
    if not (folder / CONFIG).is_file():
        raise ValueError(f"The folder model={name!r} has no {CONFIG}, so it is not that of a model. Check its name.")


def _meant(name: str) -> str | None:
    known = {one.casefold(): one for one in (*ENCODERS, *CAUSAL_LMS)}
    near = get_close_matches(name.casefold(), known, n=1, cutoff=NEAR)
    return known[near[0]] if near else None
