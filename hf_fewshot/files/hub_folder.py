"""Some files of a repository on the Hub as a folder in the client's cache: of one commit, and no more than is read."""

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
    RevisionResolutionError,
)
from huggingface_hub.hf_api import RepoFile

from hf_fewshot.files.at_hand import NotAtHandError, may_fetch
from hf_fewshot.files.disk_space import size_in_words
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

# Whoever fills a repository does not choose how long others read in it.
MAX_FILES = 5_000
MAX_BYTES = 500_000_000
# The last ones: a cache or an answer that is not what the client or the Hub would write.
UNUSABLE = (HTTPError, RevisionResolutionError, OSError, ValueError, TypeError, LookupError, AttributeError)


@dataclass(frozen=True)
class HubFolder:
    """Where the files are, and the commit that they are of."""

    path: Path
    commit: str


def hub_folder(repo_id: str, pattern: str, *, repo_type: str = "model", revision: str | None = None) -> HubFolder:
    """Downloads the files of a repository that match a pattern, unless they are in the cache.

    One request asks which commit a revision is; what the cache has of that commit is not asked for again. Without the
    Hub the cache answers alone. `DownloadError` and `NotAtHandError` say what keeps the files from being read.

    Args:
        repo_id: such as "user/model".
        pattern: as in a shell; a `*` is any text, a `/` too.
        repo_type: "model", "dataset" or "space".
        revision: a branch, a tag, a commit or a pull request (`refs/pr/1`); None: the newest commit.
    """
    api = HfApi(library_name="hf_fewshot")
    alone = not may_fetch() or constants.is_offline_mode()
    try:
        commit = api.resolve_revision(repo_id, repo_type=repo_type, revision=revision, local_files_only=alone)
        try:
            found = snapshot_download(
                repo_id, repo_type=repo_type, revision=commit, allow_patterns=pattern, local_files_only=True
            )
        except UNUSABLE:
            if alone:
                raise
            _require_bounded(api, repo_id, pattern, repo_type, commit.resolved)
            found = snapshot_download(repo_id, repo_type=repo_type, revision=commit, allow_patterns=pattern)
    except DownloadError:
        raise
    except UNUSABLE as error:
        # What the client says may repeat what a server has sent back: hence without the error it comes from.
        raise _explained(repo_id, revision, error, alone) from None
    return HubFolder(Path(found), commit.resolved)


def _require_bounded(api: HfApi, repo_id: str, pattern: str, repo_type: str, commit: str) -> None:
    """Raises DownloadError where there is nothing to read, or more than anybody should be made to."""
    files = matching = size = 0
    for entry in api.list_repo_tree(repo_id, repo_type=repo_type, revision=commit, recursive=True):
        if not isinstance(entry, RepoFile):
            continue
        files += 1
        if fnmatch(entry.path, pattern):
            matching += 1
            size += entry.size
        if files > MAX_FILES:
            raise DownloadError(f"{repo_id} has more than {MAX_FILES:,} files: it is not read.")
    if not matching:
        raise DownloadError(f"{repo_id} has no {pattern}.")
    if size > MAX_BYTES:
        raise DownloadError(
            f"{repo_id} has {size_in_words(size)} in {pattern}, more than the {size_in_words(MAX_BYTES)} that are "
            "read of a repository."
        )


def _explained(repo_id: str, revision: str | None, error: Exception, alone: bool) -> OSError:
    at = f" at revision {revision}" if revision else ""
    if alone:
        why = "HF_HUB_OFFLINE is set" if constants.is_offline_mode() else "nothing is fetched now"
        return NotAtHandError(f"{repo_id}{at} is not in the cache of the Hub, and {why}.")
    if isinstance(error, GatedRepoError):
        return DownloadError(
            f"{repo_id} lets in only those who agree to its owners' terms. Do so on its page, and log in with "
            "`hf auth login`."
        )
    if isinstance(error, RepositoryNotFoundError):
        return DownloadError(
            f"The Hub has no {repo_id} that you may see. Check the name; for a private one, log in with "
            "`hf auth login`."
        )
    if isinstance(error, RevisionNotFoundError):
        return DownloadError(f"{repo_id} has no revision {revision}. Give a branch, a tag or a commit of it.")
    if isinstance(error, HfHubHTTPError):
        return DownloadError(f"{repo_id} cannot be read now: the Hub answers {error.response.status_code}.")
    # The client's own advice, some lines of it, is about models; the first line of the cause says what it was.
    said = visible(redacted(str(error.__cause__ or error).strip().split("\n")[0]))
    return DownloadError(f"{repo_id} cannot be read now ({said}). Check the connection.")
