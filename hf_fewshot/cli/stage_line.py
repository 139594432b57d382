"""A line on the terminal that says what is being done while nothing else says it."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hf_fewshot.progress import is_watched, stages_told
from hf_fewshot.text.visible import visible

CLEAR = "\r\x1b[K"


@contextmanager
def stage_line() -> Iterator[None]:
    """Shows stages on standard error where it is a terminal; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty() or not is_watched():
        yield
        return
    with stages_told(_show):
        try:
            yield
        finally:
            _show("")


def _show(stage: str) -> None:
    # The cursor stays at the beginning of the line, so that whatever is printed next stands in its place.
    # Longer ones would be several lines, of which only the last could be cleared.
    width = shutil.get_terminal_size().columns
    sys.stderr.write(f"{CLEAR}{visible(f'{stage} ...', keep='')[: width - 1]}\r" if stage else CLEAR)
    sys.stderr.flush()
