"""Ctrl-C during a training, also where a library swallows it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transformers import TrainerCallback


class _Again(TrainerCallback):
    """Raises an interrupt again that was pressed and did not end the training."""

    def __init__(self) -> None:
        self.pressed = False

    def on_step_end(self, *_: Any, **__: Any) -> None:
        if self.pressed:
            raise KeyboardInterrupt


@contextmanager
def interruptible(trainer: Any) -> Iterator[None]:
    """Python drops an interrupt that arrives while an object is cleared up; in here it comes again after the step."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # signals are somebody else's
        return
    again = _Again()

    def press(number: int, frame: Any) -> None:
        again.pressed = True
        before(number, frame)

    trainer.add_callback(again)
    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        trainer.remove_callback(again)
