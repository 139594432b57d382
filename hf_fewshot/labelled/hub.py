"""Datasets of the Hub, and folders as `datasets` reads them, by a name: `org/name`, `org/name:split` and the like."""

import re
from pathlib import Path
from typing import Any

import datasets

from hf_fewshot.labelled.given import LabelledError

PREFIX = "hub:"
FORM = "hub:org/name, hub:org/name:split or hub:org/name:config:split"
# What a Hub dataset of others is called; a name alone is a file or folder that is not there.
_NAME = re.compile(r"[\w.-]+/[\w.-]+(:[\w.-]+){0,2}", re.ASCII)
# What `save_to_disk` leaves in a folder.
SAVED = ("state.json", "dataset_dict.json")


def is_hub_name(text: str) -> bool:
    """Whether a text names a dataset of the Hub; with `hub:` before it, it always does."""
    return text.startswith(PREFIX) or _NAME.fullmatch(text) is not None


def is_folder(text: str) -> bool:
    """Whether a text names a folder, with or without a configuration and a split behind it."""
    return Path(text.split(":")[0]).expanduser().is_dir()


def load_split(text: str) -> datasets.Dataset:
    """The rows of a dataset by its name; where it has several splits, the name must say one."""
    name, *parts = text.removeprefix(PREFIX).split(":")
    if not name or len(parts) > 2 or "" in parts:
        raise LabelledError(text, FORM, repr(text), "Name the dataset, its configuration and its split.")
    config, split = ([None] * (2 - len(parts)) + parts) if parts else (None, None)
    found = _load(text, name, config)
    if isinstance(found, datasets.Dataset):
        return found
    if split is None and len(found) == 1:
        return next(iter(found.values()))
    if split not in found:
        got = "none" if split is None else repr(split)
        remedy = f"Write {text.rsplit(':', 1)[0] if split else text}:{next(iter(found))}, for example."
        raise LabelledError(text, f"one of the splits {', '.join(found)}", got, remedy)
    return found[split]


def _load(text: str, name: str, config: str | None) -> Any:
    folder = Path(name).expanduser()
    try:
        if any((folder / file).is_file() for file in SAVED):
            return datasets.load_from_disk(folder)
        return datasets.load_dataset(str(folder) if folder.is_dir() else name, config)
    except Exception as error:
        remedy = "Check the name and the connection, or give a file (.csv, .jsonl, .parquet, .conll)."
        raise LabelledError(text, f"a dataset that can be loaded ({FORM})", str(error).rstrip("."), remedy) from error
