"""Clients at the same time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """Threads that wait for responses."""
    with ThreadPoolExecutor(60) as pool:
        yield pool
