"""Studies that people answer in headless Chromium."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.people.browser.studies import Asked, Running, served


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """A function that serves a study until the test ends: `serve(tagging)`."""
    with ExitStack() as stack:
        yield lambda task, **options: stack.enter_context(_served(task(tmp_path / "data", **options), tmp_path))


def _served(asked: Asked, folder: Path):
    return served(asked, folder / "study")


@pytest.fixture
def page(chromium) -> Iterator:
    """Chromium with nothing remembered; at the end, nothing was wrong on its console."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.get_log("performance")
    yield chromium
    assert [entry["message"] for entry in chromium.get_log("browser")] == []
