"""Results as a pull request to somebody's model repository: nothing is changed before its owner agrees."""

import hashlib
from collections.abc import Mapping

from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.hf_api import RepoFile

from hf_fewshot.hub.access import HubError, hub_access
from hf_fewshot.hub.manifest import Content, digest, foreign, size
from hf_fewshot.hub.pins import Pins
from hf_fewshot.hub.runs import Places, read_runs, record_files, result_files
from hf_fewshot.hub.secrets import refuse_secrets
from hf_fewshot.hub.upload import Push, Upload
from hf_fewshot.tables.markdown import markdown_tables


def propose_results(
    folders: Places,
    repo_id: str,
    *,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
    datasets: Mapping[str, str] | None = None,
) -> Push:
    """Opens a pull request with records and `.eval_results` of runs; model, card and other files stay as they are.

    Args:
        folders: of runs, or folders with folders of runs.
        repo_id: of any model, such as "someone/model".
        dry_run: open nothing, and return what would be proposed.
        token: of the Hub; None: the saved one.
        overwrite: propose to replace files that are there with another content.
        datasets: dataset repositories whose leaderboards the results belong to, by name of the benchmark.
    """
    runs = read_runs(folders)
    records = list(runs.values())
    message = f"Add results of {len(records)} {'run' if len(records) == 1 else 'runs'} with hf_fewshot"
    description = markdown_tables(records)
    # Files of their own, so that no result of others is touched.
    suffix = hashlib.sha256(",".join(sorted(record.run.digest for record in records)).encode()).hexdigest()[:10]

    def asked(pins: Pins | None) -> Upload:
        results = result_files(records, repo_id, datasets, pins, suffix=f"-{suffix}")
        return Upload(repo_id, "model", {**record_files(runs), **results}, message)

    upload = asked(None)
    refuse_secrets({**upload.files, "the description": description.encode()}, token)
    if not dry_run:
        with hub_access(repo_id, token) as api:
            upload = asked(Pins(api))
            url = _open(api, upload, description, overwrite)
    sizes = {path: size(content) for path, content in sorted(upload.files.items())}
    return Push(repo_id, "model", False, sizes, description, url=None if dry_run else url, is_proposal=True)


def _open(api: HfApi, upload: Upload, description: str, overwrite: bool) -> str:
    """The address of the new pull request."""
    info = api.repo_info(upload.repo_id)
    digests = {path: digest(content) for path, content in upload.files.items()}
    found = api.get_paths_info(upload.repo_id, list(digests), revision=info.sha)
    present = {entry.path: entry for entry in found if isinstance(entry, RepoFile)}
    others = foreign(present, digests, {})
    if others and not overwrite:
        raise HubError(
            f"{upload.repo_id} has other contents in {', '.join(others)}. Give overwrite=True to propose to replace "
            "them."
        )
    if len(present) == len(digests) and not others:
        raise HubError(f"{upload.repo_id} has all of these results already: there is nothing to propose.")
    content: Mapping[str, Content] = upload.files
    commit = api.create_commit(
        upload.repo_id,
        [CommitOperationAdd(path, content[path]) for path in sorted(content)],
        commit_message=upload.message,
        commit_description=description,
        parent_commit=info.sha,
        create_pr=True,
    )
    if commit.pr_url is None:
        raise HubError(f"The Hub has opened no pull request in {upload.repo_id}, and does not say why.")
    return commit.pr_url
