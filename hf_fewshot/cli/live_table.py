"""The results of many runs as they come in."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from rich.console import Group
from rich.live import Live
from rich.text import Text

from hf_fewshot.cli.console import console
from hf_fewshot.cli.results_table import results_tables
from hf_fewshot.progress import is_watched, stages_told
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


class LiveTable:
    """On a terminal a table that grows; elsewhere a line per run and the table at the end.

    A single run has progress bars of its own instead.
    """

    def __init__(self, runs: Sequence[Run], *, shown: bool) -> None:
        self.total = len(runs)
        self.shown = shown
        self.records: list[Record] = []
        self.read: list[Record] = []  # those that were not made now
        self.n_failed = 0
        self.current = ""
        self.stage = ""  # of the run that is made now
        self.started = time.monotonic()
        self.console = console()
        is_live = shown and self.total > 1 and self.console.is_terminal and is_watched()
        self._listening = ExitStack()
        self.live = Live(console=self.console, get_renderable=self._view, refresh_per_second=2) if is_live else None

    @property
    def shows_progress(self) -> bool:
        """Whether a run may show progress bars: beside a growing table they would tear it apart."""
        return self.live is None

    def __enter__(self) -> Self:
        if self.live is not None:
            self.live.start()
            self._listening.enter_context(stages_told(self._hear))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        if self.live is not None:
            self.live.stop()
        elif self.shown and self.records:
            for table in results_tables(self.records):
                self.console.print(table)
            if self.read:
                self.console.print(self._of_read(), markup=False, highlight=False, soft_wrap=True)

    def _hear(self, stage: str) -> None:
        self.stage = stage  # shown when the table is drawn next

    def begin(self, run: Run) -> None:
        """A run begins."""
        self.current = run.name

    def done(self, record: Record, *, was_read: bool = False) -> None:
        """A run is done: now, or earlier, and its record was read."""
        self.records.append(record)
        read = ""
        if was_read:
            self.read.append(record)
            read = f" (read, made {record.started})"
        self._tell(f"{record.run.name}: {record.measure} {100 * record.score:.2f} %{read}")

    def failed(self, run: Run) -> None:
        """A run ended with an error."""
        self.n_failed += 1
        self._tell(f"{run.name}: failed")

    def _of_read(self) -> str:
        """Which results are not new."""
        times = sorted(record.started for record in self.read)
        when = times[0] if times[0] == times[-1] else f"{times[0]} to {times[-1]}"
        unsure = sum(not record.depends_on for record in self.read)
        old = f" {unsure} of them by a version that recorded no more of its data than the episodes." if unsure else ""
        return f"{len(self.read)} of {self.total} results were read, not made: they were there since {when}.{old}"

    def _tell(self, line: str) -> None:
        if self.live is not None:
            self.live.refresh()
        if self.shown and self.live is None and self.total > 1:
            done = len(self.records) + self.n_failed
            self.console.print(f"[{done} of {self.total}] {line}", markup=False, highlight=False, soft_wrap=True)

    def _view(self) -> Any:
        done = len(self.records) + self.n_failed
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        state = f"{done} of {self.total} runs done{failed}, {time.monotonic() - self.started:.0f} s"
        if done < self.total:
            state += f", now {self.current}{': ' * bool(self.stage)}{self.stage}"
        elif self.read:
            state += f"\n{self._of_read()}"
        return Group(*results_tables(self.records), Text(state, style="dim"))
