"""Files to one commit of a repository, without harm to what others have put there."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import validate_repo_id

from hf_fewshot.hub.access import SENT, HubError, hub_access
from hf_fewshot.hub.manifest import (
    FILE_NAME,
    Content,
    Digest,
    digest,
    foreign,
    outdated,
    read_manifest,
    size,
    write_manifest,
)
from hf_fewshot.hub.secrets import refuse_secrets
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Push:
    """What was uploaded, or would be.

    Args:
        repo_id: the repository.
        repo_type: "model", "dataset" or "space".
        private: whether a new repository is private.
        sizes: in bytes, by path in the repository.
        card: the text of README.md.
        removed: files of an earlier push that are not part of this one.
        url: of the commit; None of a dry run.
        left_out: files that are not uploaded, and why: links, hidden ones.
        results: by path, the text of files with results for the Hub's leaderboards.
        is_proposal: whether it is a pull request, of which `card` is the description and `url` the address.
    """

    repo_id: str
    repo_type: str
    private: bool
    sizes: Mapping[str, int]
    card: str
    removed: tuple[str, ...] = ()
    url: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    is_proposal: bool = False

    def __str__(self) -> str:
        where = redacted(self.url) if self.url else f"{self.repo_type} {self.repo_id}"
        if self.is_proposal:
            done = f"Proposed in {where}" if self.url else f"Would open a pull request in {where}"
        else:
            done = f"Uploaded to {where}" if self.url else f"Would upload to {where}"
        files = [f"{count:>14,} {_name(path)}" for path, count in self.sizes.items()]
        files += [f"{'removed':>14} {_name(path)}" for path in self.removed]
        files += [f"{'left out':>14} {_name(path)} ({reason})" for path, reason in self.left_out.items()]
        visibility = "" if self.is_proposal else "private, " if self.private else "public, "
        return "\n".join([f"{done} ({visibility}{sum(self.sizes.values()):,} bytes):", *files])


@dataclass(frozen=True)
class Upload:
    """Files for a repository, by path in it; README.md is among them.

    Args:
        left_out: what is not uploaded, and why.
        kept: folders of an earlier push whose files stay, although this one does not have them.
        parent: the newest commit when it was decided what to upload; another one is an error. None: any may be.
    """

    repo_id: str
    repo_type: str
    files: Mapping[str, Content]
    message: str
    private: bool = True
    space_sdk: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    parent: str | None = None

    def __post_init__(self) -> None:
        validate_repo_id(self.repo_id)
        if "/" not in self.repo_id:
            raise ValueError(f"Expected a repository such as 'user/{self.repo_id}', got {self.repo_id!r}.")

    def push(self, *, dry_run: bool = False, token: str | None = None, overwrite: bool = False) -> Push:
        """Uploads all files in one commit; with `dry_run` says what it would be, without network."""
        refuse_secrets(self.files, token)
        digests = {path: digest(content) for path, content in self.files.items()}
        files = {**self.files, FILE_NAME: write_manifest(digests)}
        card = files["README.md"]
        text = (card if isinstance(card, bytes) else card.read_bytes()).decode(errors="replace")
        sizes = {path: size(files[path]) for path in sorted(files)}
        if dry_run:
            plan = Push(
                self.repo_id, self.repo_type, self.private, sizes, text, left_out=self.left_out, results=self._results
            )
            logger.info("%s\n%s", plan, visible(text))
            return plan
        with hub_access(self.repo_id, token) as api:
            parent, deleted, kept = self._prepared(api, digests, overwrite)
            files[FILE_NAME] = write_manifest({**kept, **digests})
            sizes[FILE_NAME] = size(files[FILE_NAME])
            operations: list[CommitOperationAdd | CommitOperationDelete] = [
                *(CommitOperationAdd(path, files[path]) for path in sizes),
                *(CommitOperationDelete(path, is_folder=False) for path in deleted),
            ]
            commit = api.create_commit(
                self.repo_id,
                operations,
                commit_message=self.message,
                repo_type=self.repo_type,
                # What was looked at is what is changed: a commit by somebody else in between is an error.
                parent_commit=parent,
            )
        done = Push(
            self.repo_id,
            self.repo_type,
            self.private,
            sizes,
            text,
            tuple(deleted),
            commit.commit_url,
            self.left_out,
            results=self._results,
        )
        logger.info("%s", done)
        return done

    @property
    def _results(self) -> dict[str, str]:
        return {
            path: content.decode()
            for path, content in self.files.items()
            if path.startswith(".eval_results/") and isinstance(content, bytes)
        }

    def _prepared(
        self, api: HfApi, digests: Mapping[str, Digest], overwrite: bool
    ) -> tuple[str | None, list[str], dict[str, Digest]]:
        """The commit to build on, in a repository that is there, the files to delete, and those of ours that stay."""
        try:
            info = api.repo_info(self.repo_id, repo_type=self.repo_type)
        except RepositoryNotFoundError:
            api.create_repo(
                self.repo_id, repo_type=self.repo_type, private=self.private, space_sdk=self.space_sdk, exist_ok=False
            )
            # What a new repository holds was put there by the Hub.
            return api.repo_info(self.repo_id, repo_type=self.repo_type).sha, [], {}
        if self.parent not in (None, info.sha):
            raise HubError(f"{self.repo_id} was changed by somebody else meanwhile. {SENT}")
        if self.private and not info.private:
            raise HubError(
                f"{self.repo_id} is there and is public, but a private push was asked for. Give private=False if "
                "everybody may see it, or another repository."
            )
        if not self.private and info.private:
            logger.warning("%s is private and stays so: change it in its settings.", self.repo_id)
        tree = api.list_repo_tree(self.repo_id, repo_type=self.repo_type, revision=info.sha, recursive=True)
        present = {entry.path: entry for entry in tree if isinstance(entry, RepoFile)}
        ours = self._manifest(api, info.sha) if FILE_NAME in present else {}
        others = foreign(present, digests, ours)
        if others and not overwrite:
            raise HubError(
                f"{self.repo_id} has files that this push would replace and that were not written by hf_fewshot, or "
                f"were changed since: {', '.join(others)}. Give overwrite=True to replace them, or another repository."
            )
        kept = {path: one for path, one in ours.items() if path.startswith(self.kept) and path in present}
        return info.sha, [path for path in outdated(present, digests, ours) if path not in kept], kept

    def _manifest(self, api: HfApi, revision: str | None) -> dict[str, Digest]:
        path = api.hf_hub_download(self.repo_id, FILE_NAME, repo_type=self.repo_type, revision=revision)
        with open(path, "rb") as file:
            return read_manifest(file.read())


def _name(path: str) -> str:
    return visible(path, keep="")
