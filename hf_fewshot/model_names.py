"""Names of models: of embedded ones, of folders, of models of the Hub."""

import os
from pathlib import Path

from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id

from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS, installed
from hf_fewshot.files.hub_models import CONFIG, HubUnknownError, ask_for_model, cached_model
from hf_fewshot.names import nearest

# So near to the name of an embedded model that it was meant.
NEAR = 0.8


def check_model_name(name: str, option: str = "model") -> None:
    """Raises ValueError for a name that can be no model; nobody is asked.

    Args:
        option: that has it, for the message.
    """
    if name in ENCODERS or name in CAUSAL_LMS:
        return
    if os.path.isdir(name) or _is_path(name):
        _check_folder(name, option)
        return
    try:
        validate_repo_id(name)
    except HFValidationError:
        raise ValueError(
            f"{option}={name!r} is no folder here, and no name that a model of the Hub can have. Give the name of an "
            f"embedded model ({', '.join((*ENCODERS, *CAUSAL_LMS))}), a folder or a Hub id."
        ) from None
    refuse_misspelt(name, option)


def refuse_misspelt(name: str, option: str = "model") -> None:
    """Raises ValueError for what is nearly the name of an embedded model, and no folder or model of the Hub."""
    if name in ENCODERS or name in CAUSAL_LMS or "/" in name or os.path.isdir(name):
        return
    meant = nearest(name, (*ENCODERS, *CAUSAL_LMS), NEAR)
    # The Hub's models without an owner are old and few; none of them is called nearly as an embedded one.
    if meant is not None and cached_model(name) is None:
        raise ValueError(f"Unknown {option} {name!r}. Did you mean {meant!r}?")


def require_model(name: str, option: str = "model") -> None:
    """Raises ValueError where there is no such model, on this machine or on the Hub; nothing is downloaded."""
    if model_folder(name) is not None or name in CAUSAL_LMS:
        return
    try:
        ask_for_model(name)
    except HubUnknownError as error:
        raise ValueError(
            f"{option}={name!r} is not on this machine, and {error}. Give the name of an embedded model, a folder, or "
            "a model that was downloaded before."
        ) from error


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


def _check_folder(name: str, option: str) -> None:
    if name.startswith("~"):
        raise ValueError(f"{option}={name!r}: a name is taken as it is. Write the folder in full.")
    folder = Path(name)
    if not folder.is_dir():
        what = "a file" if folder.exists() else "no folder that is there"
        raise ValueError(f"{option}={name!r} is {what}. Give the folder of a model, with its {CONFIG}.")
    if not (folder / CONFIG).is_file():
        raise ValueError(
            f"The folder {option}={name!r} has no {CONFIG}, so it is not that of a model. Check its name."
        )
