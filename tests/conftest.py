"""Fixtures for all tests: private caches, and the published data where it is at hand."""

import os
import tempfile
from pathlib import Path

import pytest

# Before datasets or evaluate is imported: they read their cache folders once, at import.
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="hf_fewshot_tests_")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published raw files, which are not part of the project."""
    folder = Path(os.environ.get("HF_FEWSHOT_SHARED_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no published data at {folder}; set HF_FEWSHOT_SHARED_DATA to its folder")
    return folder
