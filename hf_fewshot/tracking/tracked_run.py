"""A run that a tracker shows while it is made."""

import io
import logging
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState

from hf_fewshot.text.redaction import redacted
from hf_fewshot.tracking.trackers import RunArguments, tracker_callback

logger = logging.getLogger(__name__)


class TrackedRun:
    """What a tracker is told of a run. One that fails is left alone from then on: no run is lost to it.

    Args:
        tracker: its name; None: nothing is told, as in all processes but one.
        arguments: what the run is.
    """

    def __init__(self, tracker: str | None, arguments: RunArguments) -> None:
        self.tracker = tracker
        self.steps = 0
        self._arguments = arguments
        self._callback = None if tracker is None else tracker_callback(tracker)

    def begin(self) -> None:
        """The run begins."""
        self._tell("on_train_begin")

    def log(self, values: Mapping[str, float], step: int | None = None) -> None:
        """Numbers after so many steps of training; None: after the last of them."""
        self.steps = self.steps if step is None else step
        self._tell("on_log", logs=dict(values))

    def end(self) -> None:
        """The run has ended, whether it was done or not."""
        self._tell("on_train_end")

    def _tell(self, event: str, **what: Any) -> None:
        if self._callback is None:
            return
        said = io.StringIO()
        try:
            with redirect_stdout(said):  # it is for results
                getattr(self._callback, event)(
                    self._arguments, TrainerState(global_step=self.steps), TrainerControl(), **what
                )
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever is wrong with it, the run goes on
            self._callback = None
            logger.warning(
                f"{self._arguments.run_name} is no longer tracked, and goes on: {self.tracker} failed with "
                f"{type(error).__name__}: {redacted(str(error))}"
            )
        for line in said.getvalue().splitlines():
            logger.info(f"{self.tracker}: {line}")


class Curves(TrainerCallback):
    """Tells a tracked run what a trainer logs; the steps of a second training follow those of the first."""

    def __init__(self, tracked: TrackedRun) -> None:
        self.tracked = tracked
        self.before = tracked.steps

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **_: Any) -> None:
        self.tracked.log(logs or {}, self.before + state.global_step)
