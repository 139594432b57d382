"""Files of a dataset on the Hub, through its own client and cache."""

from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from huggingface_hub import snapshot_download

# The client's HTTP library is its own affair; its errors have this base.
from huggingface_hub.errors import HTTPError

from hf_fewshot.files.at_hand import NotAtHandError, may_fetch
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

# Datasets that were scripts have their Parquet files on this branch.
REVISIONS = ("main", "refs/convert/parquet")
# The last four: an answer that is not what the Hub would say.
UNUSABLE = (HTTPError, OSError, ValueError, TypeError, LookupError, AttributeError)


def hub_files(dataset: str, pattern: str, splits: Iterable[str]) -> dict[str, dict[str, Path]]:
    """For each split, the files of a Hub dataset that match `pattern`, downloaded unless they are in the cache."""
    patterns = {split: pattern.format(split=split) for split in splits}
    problems = []
    for revision in REVISIONS:
        try:
            folder = Path(
                snapshot_download(
                    dataset,
                    repo_type="dataset",
                    revision=revision,
                    allow_patterns=list(patterns.values()),
                    local_files_only=not may_fetch(),
                )
            )
        except UNUSABLE as error:
            # The client's own advice, some lines of it, is about models; the first line of the cause says what it was.
            problems.append(visible(redacted(str(error.__cause__ or error).strip().split("\n")[0])))
            continue
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        found = {s: {name: folder / name for name in names if fnmatch(name, p)} for s, p in patterns.items()}
        missing = [patterns[split] for split, files in found.items() if not files]
        if not missing:
            return found
        problems.append(f"revision {revision} holds no {', '.join(missing)}")
    if not may_fetch():
        raise NotAtHandError(f"the Hub dataset {dataset} would have to be downloaded")
    raise DownloadError(f"the Hub dataset {dataset} could not be read ({'; '.join(dict.fromkeys(problems))})")
