"""One process equals two."""

import json
import shutil
from pathlib import Path

import pytest


@pytest.fixture
def run_training(run, tmp_path):
    # The processes start with the script of this folder, in the folder of the test.
    def run_training(encoder, processes, batch_size, name):
        script = Path(__file__).with_name("train_script.py")
        run(script, encoder, "mnav", 4, batch_size, name, processes=processes)
        return [json.loads((tmp_path / f"{name}-{rank}.json").read_text()) for rank in range(processes)]

    return run_training


def test_two_processes_train_and_evaluate_as_one_does(encoder, run_training, tmp_path):
    (one,) = run_training(encoder, 1, 4, "one")
    two = run_training(encoder, 2, 2, "two")
    assert [result["num_processes"] for result in two] == [2, 2]
    assert two[0] == two[1]
    assert two[0]["before"] == one["before"]
    # Every episode has the same number of queries: the mean over processes is the mean over episodes.
    assert two[0]["losses"] == pytest.approx(one["losses"], rel=1e-3)
    assert two[0]["sum"] == pytest.approx(one["sum"], rel=1e-4)
    assert two[0]["after"] == pytest.approx(one["after"], abs=0.05)
    shutil.rmtree(tmp_path / "out")
