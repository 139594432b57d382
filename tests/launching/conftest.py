"""A Slurm of this machine for all tests of the folder, where there can be one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hf_fewshot import registry
from tests.slurm_machine import PLACES, slurm_machine, why_not


@pytest.fixture(scope="session")
def slurm(tmp_path_factory) -> Iterator[Path]:
    """Its configuration, which Slurm's commands find; jobs run on as many processors as there are."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with pytest.MonkeyPatch.context() as patch, slurm_machine(tmp_path_factory.mktemp("slurm")) as settings:
        patch.setenv("SLURM_CONF", str(settings))
        patch.setenv("PATH", PLACES)
        yield settings


@pytest.fixture
def place(tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty current folder; what is registered in it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    # Jobs that others have submitted are not what is tested.
    for name in [name for name in os.environ if name.startswith(("SBATCH_", "SLURM_JOB", "SLURM_ARRAY"))]:
        monkeypatch.delenv(name)
    tables = (registry.METHODS, registry.SYSTEMS)
    before = [dict(table) for table in tables]
    yield tmp_path
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)
