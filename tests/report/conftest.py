"""Records and episodes to browse, made by hand."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")


def make_record(
    system: str = "ProtoBERT",
    score: float = 0.5,
    *,
    benchmark: str = "few_nerd",
    config: str | None = "inter",
    measure: str = "f1",
    seed: int = 0,
    unit: str = "episode",
    units: dict[str, tuple[float, float]] | None = None,
    scores: dict[str, float] | None = None,
    baselines: dict[str, float] | None = None,
    confusion: dict[str, Any] | None = None,
    task: str = "tagging",
    data: dict[str, Any] | None = None,
    fingerprint: str = "f00d",
    **run: Any,
) -> Record:
    """A record; its units, unless given, are ten that lie around the score and sum up to it."""
    if units is None:
        units = {str(number): (20 * score + (1 if number % 2 else -1) * score, 20.0) for number in range(10)}
    data = {"n_way": 5, "shots": 1} if data is None else data
    return Record(
        run=Run(
            benchmark=benchmark,
            config=config,
            method=run.pop("method", "proto"),
            system=system,
            data=data,
            seed=seed,
            model=run.pop("model", "bert-base-uncased"),
            **run,
        ),
        task=task,
        measure=measure,
        scores={measure: score, **(scores or {})},
        intervals={measure: (score - 0.02, score + 0.02)},
        confidence_level=0.95,
        unit=unit,
        units=list(units),
        numerators=[above for above, _ in units.values()],
        denominators=[below for _, below in units.values()],
        baselines={"most_frequent": 0.1} if baselines is None else baselines,
        confusion=confusion,
        episodes={"fingerprint": fingerprint, "n_episodes": 10, "n_queries": 200, "official": True},
        environment={"versions": {"torch": "2.13.0", "transformers": "5.0.0"}, "device": "cpu", "commit": "abc1234"},
        started="2026-02-03T04:05:06+00:00",
        seconds={"train": 12.345, "predict": 6.0, "score": 0.5},
        command="hf-fewshot run --benchmark few_nerd",
    )


def browse_item(tokens: list[str], spans: list, predicted_spans: list | None = None, **more: Any) -> dict[str, Any]:
    """A sentence of `browse.jsonl`."""
    item = {"tokens": tokens, "joiner": " ", "spans": spans, "predicted_spans": predicted_spans}
    return {**item, "label": None, "predicted_label": None, **more}


def write_browse(path: Path, *episodes: dict[str, Any]) -> Path:
    """A `browse.jsonl`."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in episodes), encoding="utf-8")
    return path


@pytest.fixture(name="make_record", scope="session")
def _make_record() -> Callable[..., Record]:
    return make_record


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
