"""Which commit of a benchmark's repository has the episodes of records."""

import logging
from collections.abc import Sequence

from huggingface_hub import HfApi
from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError

from hf_fewshot.cards.exported_setting import DATA, FILE_NAME
from hf_fewshot.cards.setting_name import setting_name
from hf_fewshot.hub.configurations import setting_of
from hf_fewshot.runs.record import Record

logger = logging.getLogger(__name__)


class Pins:
    """Looks into dataset repositories, each of which is asked once for its newest commit."""

    def __init__(self, api: HfApi) -> None:
        self._api = api
        self._commits: dict[str, str | None] = {}

    def __call__(self, repo_id: str, records: Sequence[Record]) -> str | None:
        """The newest commit if all records have the fingerprint of their configuration there; else None."""
        if repo_id not in self._commits:
            self._commits[repo_id] = self._newest(repo_id)
        commit = self._commits[repo_id]
        return commit if commit and all(self._has(repo_id, commit, record) for record in records) else None

    def _newest(self, repo_id: str) -> str | None:
        try:
            return self._api.repo_info(repo_id, repo_type="dataset").sha
        except RepositoryNotFoundError:
            return None

    def _has(self, repo_id: str, commit: str, record: Record) -> bool:
        run = record.run
        configuration = setting_name(run.benchmark, run.config, run.data, without=())
        try:
            there = setting_of(self._api, repo_id, commit, f"{DATA}/{configuration}/{FILE_NAME}")
        except EntryNotFoundError:
            return False
        except ValueError as error:
            logger.warning("Results do not say which episodes they are on: %s", error)
            return False
        return (there.evaluation_split, there.fingerprint) == (run.split, record.episodes["fingerprint"])
