"""Small files that lie beside the weights of a model, in a folder or on the Hub."""

import logging
from pathlib import Path
from typing import Any

from huggingface_hub import hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

from hf_fewshot.files.strict_json import strict_json

logger = logging.getLogger(__name__)


def model_json(name_or_path: str | Path, file: str) -> Any:
    """The content of a JSON file of a model; None if the model has no such file."""
    path = _found(name_or_path, file)
    if path is None:
        return None
    try:
        return strict_json(path.read_bytes())
    except ValueError as error:
        raise ValueError(
            f"{file} of {str(name_or_path)!r} is no JSON that can be used: {error}. Get it again."
        ) from error


def _found(name_or_path: str | Path, file: str) -> Path | None:
    folder = Path(name_or_path)
    if folder.is_dir():
        return folder / file if (folder / file).is_file() else None
    try:
        return Path(hf_hub_download(str(name_or_path), file))
    except LocalEntryNotFoundError:
        logger.warning(
            f"{file} of {str(name_or_path)!r} is not in the cache and the Hub cannot be reached: the model counts as "
            "one without it."
        )
    except EntryNotFoundError:
        pass
    return None
