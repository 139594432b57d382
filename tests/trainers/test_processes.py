"""One process equals two."""

import json
import shutil

import pytest

from tests.processes import run_forked
from tests.trainers import train_script


def test_two_processes_train_and_evaluate_as_one_does(encoder, tmp_path):
    run_forked(train_script.main, encoder, "mnav", 4, 4, "one", folder=tmp_path, processes=1)
    one = json.loads((tmp_path / "one-0.json").read_text())
    assert one["num_processes"] == 1
    run_forked(train_script.main, encoder, "mnav", 4, 2, "two", folder=tmp_path)
    two = [json.loads((tmp_path / f"two-{rank}.json").read_text()) for rank in range(2)]
    assert [result["num_processes"] for result in two] == [2, 2]
    assert two[0] == two[1]
    assert two[0]["before"] == one["before"]
    # Every episode has the same number of queries: the mean over processes is the mean over episodes.
    assert two[0]["losses"] == pytest.approx(one["losses"], rel=1e-3)
    assert two[0]["sum"] == pytest.approx(one["sum"], rel=1e-4)
    assert two[0]["after"] == pytest.approx(one["after"], abs=0.05)
    shutil.rmtree(tmp_path / "out")
