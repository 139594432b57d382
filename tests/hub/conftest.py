"""A stand-in of the Hub, its real client in a process of its own, and folders of runs to push."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants

from hf_fewshot.models.few_shot_model import FewShotModel
from tests.cards.records import record
from tests.hub.client import TOKENS, WRITE
from tests.hub.run_folder import write_run
from tests.hub.stand_in import HubServer


@pytest.fixture
def hub(tmp_path) -> Iterator[HubServer]:
    """A Hub with the users me and you, and nothing in it."""
    server = HubServer(tmp_path / "hub", TOKENS)
    yield server
    server.jobs.end()
    server.shutdown()
    server.server_close()


@pytest.fixture
def client(hub, project, tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs code with the client pointed at the stand-in; in its own process, as the client reads HF_ENDPOINT once."""

    def run(code: str, *, token: str | None = WRITE, check: bool = True, **variables: str) -> Any:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "HF_HOME": str(tmp_path / "home"),
            "HF_ENDPOINT": hub.url,
            "HF_HUB_OFFLINE": "0",
            # Without Xet the client uploads large files over LFS; Xet is a binary protocol of its own servers.
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "NO_PROXY": "127.0.0.1,localhost",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": str(project),
            **({"HF_TOKEN": token} if token else {}),
            **variables,
        }
        done = subprocess.run(
            [sys.executable, "-W", "error::UserWarning", "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def online(hub, monkeypatch, tmp_path) -> HubServer:
    """The stand-in, with the client of this process pointed at it, logged in as me."""
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", WRITE)
    # The client of transformers is made once, with the address of that moment.
    monkeypatch.setattr("transformers.utils.hub._hf_api", None)
    return hub


@pytest.fixture(scope="session")
def tagger(bert, tmp_path_factory) -> Path:
    """The folder of a tiny few-shot model for tagging."""
    folder = tmp_path_factory.mktemp("tagger")
    model, tokenizer = FewShotModel.from_encoder(bert, "proto")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def results(tmp_path, tagger) -> Path:
    """A folder with three runs of one method, which differ in seed; each has its model."""
    folder = tmp_path / "results"
    for seed, correct in enumerate((30, 20, 25)):
        write_run(folder, record(correct=correct, seed=seed), tagger)
    return folder
