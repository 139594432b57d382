"""One process equals two."""

import json
import os
import shutil
import sys

import pytest

from tests.attacks.forked import Forked
from tests.trainers import train_script


def train_alone(_, folder, arguments):
    """Runs the script in a process that was forked for it."""
    os.chdir(folder)
    sys.argv[1:] = arguments
    train_script.main()


def test_two_processes_train_and_evaluate_as_one_does(encoder, run, tmp_path):
    with Forked(train_alone, tmp_path, [str(encoder), "mnav", "4", "4", "one"]) as process:
        process.wait(200)
    one = json.loads((tmp_path / "one-0.json").read_text())
    assert one["num_processes"] == 1
    run("train_script.py", encoder, "mnav", 4, 2, "two", processes=2)
    two = [json.loads((tmp_path / f"two-{rank}.json").read_text()) for rank in range(2)]
    assert [result["num_processes"] for result in two] == [2, 2]
    assert two[0] == two[1]
    assert two[0]["before"] == one["before"]
    # Every episode has the same number of queries: the mean over processes is the mean over episodes.
    assert two[0]["losses"] == pytest.approx(one["losses"], rel=1e-3)
    assert two[0]["sum"] == pytest.approx(one["sum"], rel=1e-4)
    assert two[0]["after"] == pytest.approx(one["after"], abs=0.05)
    shutil.rmtree(tmp_path / "out")
