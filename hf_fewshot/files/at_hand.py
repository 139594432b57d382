"""Whether files may be fetched, or only those used that are at hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MAY_FETCH = ContextVar("may_fetch", default=True)


class NotAtHandError(OSError):
    """A file is not on this machine, and nothing is fetched now."""


@contextmanager
def nothing_fetched() -> Iterator[None]:
    """In it nothing is downloaded: a file that would have to be is a `NotAtHandError`."""
    before = _MAY_FETCH.set(False)
    try:
        yield
    finally:
        _MAY_FETCH.reset(before)


def may_fetch() -> bool:
    """Whether files may be downloaded now."""
    return _MAY_FETCH.get()
