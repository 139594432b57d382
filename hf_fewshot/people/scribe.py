"""Who writes the records of a study while it goes on."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from hf_fewshot.people.study import Study, read_annotators
from hf_fewshot.people.summary import StudySummary

logger = logging.getLogger(__name__)


class Scribe:
    """Writes what is done whenever it is called, in a thread of its own; nobody waits for it but the end.

    Args:
        study: whose answers it reads from their logs.
        command: the command line, for the records.
        told: gets the summary each time.
    """

    def __init__(self, study: Study, command: str, told: Callable[[StudySummary], None]) -> None:
        self.study = study
        self.command = command
        self.told = told
        self._calls = 0
        self._pool = ThreadPoolExecutor(1, "scribe")
        self._pool.submit(_prepare)

    def call(self) -> None:
        """Has it write soon; of calls that come while it writes the last counts."""
        self._calls += 1
        self._pool.submit(self._write, self._calls)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def _write(self, call: int) -> None:
        if call != self._calls:
            return  # a later one is waiting
        from hf_fewshot.people.results import write_study

        study = self.study
        try:
            annotators = read_annotators(study.folder, study.plan, study.questions)
            self.told(write_study(study.folder, study.plan, study.data, annotators, command=self.command))
        except Exception:
            logger.exception("The records were not written. hf-fewshot annotate STUDY --records writes them.")


def _prepare() -> None:
    """Loads what records are written with, which takes seconds that nobody should wait for."""
    import hf_fewshot.people.results  # noqa: F401
