"""Records and episodes to browse, made by hand."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hf_fewshot.runs.record import Record
from tests.tables import records

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")


def browse_item(tokens: list[str], spans: list, predicted_spans: list | None = None, **more: Any) -> dict[str, Any]:
    """A sentence of `browse.jsonl`."""
    item = {"tokens": tokens, "joiner": " ", "spans": spans, "predicted_spans": predicted_spans}
    return {**item, "label": None, "predicted_label": None, **more}


def write_browse(path: Path, *episodes: dict[str, Any]) -> Path:
    """A `browse.jsonl`."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in episodes), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def make_record() -> Callable[..., Record]:
    """A record; any part of it can be given."""
    return records.make_record


@pytest.fixture(name="browse_item", scope="session")
def _browse_item() -> Callable[..., dict[str, Any]]:
    return browse_item


@pytest.fixture(name="write_browse", scope="session")
def _write_browse() -> Callable[..., Path]:
    return write_browse


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium that keeps the messages of its console and of its network."""
    if not (CHROMIUM and CHROMEDRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    folder = tmp_path_factory.mktemp("chromium")
    flags = "headless no-sandbox disable-gpu no-first-run disable-background-networking disable-component-update"
    for flag in [*flags.split(), "disable-sync", "window-size=1280,1400", f"user-data-dir={folder}"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(CHROMEDRIVER, log_output=os.devnull)
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()
