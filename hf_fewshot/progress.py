"""What long work shows of itself, bars and the names of its stages: to people who watch, never to a log."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

OFF = ("", "0", "false", "no", "off")
# What libraries read when they are imported; the bars of transformers follow those of the Hub.
OF_LIBRARIES = ("TQDM_DISABLE", "HF_DATASETS_DISABLE_PROGRESS_BARS", "HF_HUB_DISABLE_PROGRESS_BARS")


def is_watched() -> bool:
    """Whether bars are for somebody: this is a terminal or a notebook, and `TQDM_DISABLE` does not say otherwise.

    Of several processes that share a terminal, one shows them.
    """
    if os.environ.get("TQDM_DISABLE", "").lower() not in OFF or os.environ.get("LOCAL_RANK", "0") != "0":
        return False
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def bar(*arguments: Any, shown: bool = True, **options: Any) -> Any:
    """A bar of tqdm, which is shown if it is asked for and somebody watches; `COLUMNS` is its width."""
    from tqdm.auto import tqdm

    shown = shown and is_watched()
    if shown:
        _LISTENER.get()("")  # a bar says more than the name of a stage
    columns = os.environ.get("COLUMNS", "")
    return tqdm(*arguments, disable=not shown, ncols=int(columns) if columns.isdecimal() else None, **options)


@contextmanager
def library_bars_for_watchers() -> Iterator[None]:
    """Libraries that are imported meanwhile show no bars where nobody watches; so do processes that are started."""
    names = () if is_watched() else OF_LIBRARIES
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _nobody(stage: str) -> None:
    """Stages are told to nobody."""


_LISTENER: ContextVar[Callable[[str], None]] = ContextVar("listener", default=_nobody)
_STAGE: ContextVar[str] = ContextVar("stage", default="")


@contextmanager
def stage(name: str) -> Iterator[None]:
    """What is done meanwhile, in words such as "reading data", for whoever listens; stages may be in each other."""
    outer, listener = _STAGE.get(), _LISTENER.get()
    token = _STAGE.set(name)
    listener(name)
    try:
        yield
    finally:
        _STAGE.reset(token)
        listener(outer)


@contextmanager
def stages_told(listener: Callable[[str], None]) -> Iterator[None]:
    """Calls a function with the name of each stage as it begins; with "" where there is none, or a bar instead."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
