"""Records and episodes to browse, made by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hf_fewshot.runs.record import Record
from tests.tables import records


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
