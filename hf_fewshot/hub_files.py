"""Files of a dataset on the Hub, through its own client and cache."""

from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import httpx
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled

# Datasets that were scripts have their Parquet files on this branch.
REVISIONS = ("main", "refs/convert/parquet")


def hub_files(dataset: str, pattern: str, splits: Iterable[str]) -> dict[str, dict[str, Path]]:
    """For each split, the files of a Hub dataset that match `pattern`; nothing where the Hub cannot be reached."""
    for revision in REVISIONS:
        try:
            names = HfApi().list_repo_files(dataset, repo_type="dataset", revision=revision)
        except (HfHubHTTPError, OfflineModeIsEnabled, httpx.TransportError):
            continue
        found: dict[str, dict[str, Path]] = {}
        for split in splits:
            matching = sorted(name for name in names if fnmatch(name, pattern.format(split=split)))
            found[split] = {name: _fetch(dataset, name, revision) for name in matching}
        if all(found.values()):
            return found
    return {}


def _fetch(dataset: str, name: str, revision: str) -> Path:
    try:
        return Path(hf_hub_download(dataset, name, repo_type="dataset", revision=revision))
    except LocalEntryNotFoundError as error:
        raise ConnectionError(f"{name} of {dataset} could not be fetched from the Hub: {error}") from error
