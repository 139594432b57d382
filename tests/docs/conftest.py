"""A folder as a clone of the project, with tiny models under the names that pages have for large ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hf_fewshot import registry
from tests.docs.blocks import PROJECT
from tests.tiny_models import write_llama, write_masked_roberta

POSITIONS = 16_384  # one token per byte makes long prompts


@pytest.fixture(scope="session")
def models(t5, tmp_path_factory) -> dict[str, Path]:
    """Folders of tiny models by the Hub ids they stand in for."""
    folder = tmp_path_factory.mktemp("models")
    return {
        "roberta-large": write_masked_roberta(folder / "roberta", max_position_embeddings=514),
        "t5-large": t5,
        "HuggingFaceTB/SmolLM2-1.7B-Instruct": write_llama(folder / "llama", POSITIONS),
    }


@pytest.fixture
def clone(models, tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty folder that has what commands of the pages name, as the current folder."""
    places = {name: PROJECT / name for name in ("recipes", "examples")} | models
    for name, place in places.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(place, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")  # tables as wide as they like
    tables = (registry.METHODS, registry.SYSTEMS, registry.BENCHMARKS, registry.TASKS)
    before = [dict(table) for table in tables]
    yield tmp_path
    for table, content in zip(tables, before, strict=True):  # what a page has registered
        table.clear()
        table.update(content)
