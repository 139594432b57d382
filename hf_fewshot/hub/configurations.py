"""The configurations of a benchmark's repository: several exports in one."""

from dataclasses import replace
from pathlib import Path

from huggingface_hub import HfApi
from huggingface_hub.errors import RepositoryNotFoundError

from hf_fewshot.cards.dataset_card import dataset_card, eval_file, require_one_dataset
from hf_fewshot.cards.exported_setting import DATA, FILE_NAME, ExportedSetting, read_setting
from hf_fewshot.hub.export import CARD, LEADERBOARD, read_settings
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.upload import Upload


def beside_others(upload: Upload, folder: Path, api: HfApi) -> Upload:
    """The upload of an exported benchmark with the configurations that the repository has beside it.

    Args:
        folder: that is uploaded.
    """
    own = read_settings(folder)
    if not own:
        raise ValueError(f"{folder} has no exported configuration. Give a folder that `export_benchmark` has written.")
    try:
        commit = api.repo_info(upload.repo_id, repo_type="dataset").sha
    except RepositoryNotFoundError:
        return upload
    there = _settings(api, upload.repo_id, commit)
    others = [one for one in there if one.name not in {setting.name for setting in own}]
    upload = replace(upload, kept=tuple(f"{one.folder}/" for one in others), parent=commit)
    if not others:
        return upload
    settings = sorted([*own, *others], key=lambda one: one.name)
    require_one_dataset(settings)
    if (folder / CARD).read_text(encoding="utf-8") != str(dataset_card(own)):
        raise ValueError(
            f"{folder / CARD} is not as `export` has written it, and {upload.repo_id} has configurations that it must "
            f"name too: {', '.join(one.name for one in others)}. Export these into {folder} as well, then change it."
        )
    files: dict[str, Content] = {**upload.files, CARD: str(dataset_card(settings)).encode()}
    leaderboard = eval_file(settings)
    if leaderboard is not None:
        files[LEADERBOARD] = leaderboard.encode()
    return replace(upload, files=files)


def _settings(api: HfApi, repo_id: str, commit: str | None) -> list[ExportedSetting]:
    """What the configurations of a repository are."""
    paths = api.list_repo_files(repo_id, repo_type="dataset", revision=commit)
    ends = (f"{DATA}/", f"/{FILE_NAME}")
    names = [path for path in paths if path.startswith(ends[0]) and path.endswith(ends[1]) and path.count("/") == 2]
    return [setting_of(api, repo_id, commit, path) for path in names]


def setting_of(api: HfApi, repo_id: str, commit: str | None, path: str) -> ExportedSetting:
    """What a file of a repository says of its configuration."""
    file = Path(api.hf_hub_download(repo_id, path, repo_type="dataset", revision=commit))
    return read_setting(file.read_bytes(), f"{repo_id}/{path}")
