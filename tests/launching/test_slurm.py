"""Recipes on a real Slurm, which the tests start and stop."""

import json
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from hf_fewshot.cli import main
from hf_fewshot.launching.launch import cancel_runs, launch_runs
from hf_fewshot.launching.slurm import Slurm
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.run import Run

# Predicts nothing until a file says that it may: so a test decides what is in the middle of its work.
PATIENT = """
import time
from pathlib import Path

from hf_fewshot.registry import register_system
from hf_fewshot.systems.system import System


class Patient(System):
    zero_shot = True

    @classmethod
    def fit(cls, work):
        system = cls()
        system.sign = Path(f"go-{work.data.options['seed']}")
        return system

    def predict(self, episodes, setup):
        while not self.sign.exists():
            time.sleep(0.1)
        return episodes.kind.baseline_predictions("one_class", episodes)


register_system("patient", "patient:Patient", tasks=("relation",))
"""
TWELVE = """
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 4, nota_rate: 0.5}
draws: {seed: [0, 1, 2, 3]}
systems:
  Trained: {method: proto, training: {max_steps: 1, data: {n_episodes: 2}}}
  Frozen: {method: proto}
  Patient: {method: patient}
"""
SHARING = """
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 4, nota_rate: 0.5}
draws: {seed: [DRAW]}
systems:
  Broken: {method: proto, options: {max_length: 9999}}
  Trained: {method: proto, training: {max_steps: 1, data: {n_episodes: 2}}}
"""
LONG = 500  # seconds: the machine may be busy


def eventually(holds):
    """Waits until something holds, and gives it."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(1)
    raise AssertionError("it never came")


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def command(slurm, place, encoder, capsys):
    """Runs one of our commands on a recipe: its exit code and what it printed."""

    def call(name, recipe, *arguments, output="my results 50%"):
        code = main([name, recipe, *arguments, "--model", str(encoder), "--output", output])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def states(command, recipe, *arguments):
    """The state, the reason and the job of each run, by system and draw."""
    _, printed = command("status", recipe, "--json", *arguments)
    return [(one["state"], one["reason"], one["job"]) for one in json.loads(printed.splitlines()[0])]


def without_circumstances(records):
    """Records as they would be on any machine at any time."""
    plain = [replace(one, started="", seconds={}, command="", environment={}) for one in records]
    return {record.run.name: record for record in plain}


@pytest.mark.timeout(1800)
def test_twelve_runs_with_one_job_killed_give_the_records_of_a_local_run(command, place, monkeypatch):
    (place / "patient.py").write_text(PATIENT)
    (place / "recipe.yaml").write_text(TWELVE)
    (place / "go-0").touch()
    launched = ("recipe.yaml", "--import", "patient", "--launcher", "slurm", "--runs-per-job", "4")
    asked = ("recipe.yaml", "--import", "patient")
    results = place / "my results 50%"

    code, printed = command("run", *launched, "--sbatch", "time=1:00:00")
    assert code == 0, printed
    assert "Submitted 12 of 12 runs as 3 jobs, " in printed
    assert "(0 done, 0 submitted before)" in printed

    eventually(lambda: [one[0] for one in states(command, *asked)] == ["done"] * 9 + ["running"] + ["waiting"] * 2)
    assert [one[1] for one in states(command, *asked)[10:]] == ["for another run of its job"] * 2
    code, printed = command("run", *launched)
    assert (code, printed.strip()) == (0, "Nothing to submit: of 12 runs, 9 done, 3 submitted before.")

    before = {path: path.stat().st_mtime_ns for path in results.glob("*/record.json")}
    assert len(before) == 9
    killed = states(command, *asked)[9][2]
    said("scancel", killed)
    eventually(lambda: all(one[0] == "failed" for one in states(command, *asked)[9:]))
    for _, reason, job in states(command, *asked)[9:]:
        assert job == killed
        assert re.fullmatch(
            r"cancelled; its log ends with: slurmstepd.*: error: \*\*\* JOB .* CANCELLED AT .*", reason
        )

    for draw in range(1, 4):
        (place / f"go-{draw}").touch()
    monkeypatch.setattr("hf_fewshot.cli.launched.SECONDS", 0.5)
    code, printed = command("run", *launched, "--wait")
    assert code == 0, printed
    assert "Submitted 3 of 12 runs as 1 job, " in printed
    assert "[12 of 12] fewrel_n_way=3_shots=1_Patient_seed=0_" in printed
    assert before.items() <= {path: path.stat().st_mtime_ns for path in results.glob("*/record.json")}.items()
    assert [path.name for path in (results / "models").iterdir() if path.name[0] != "."] != []

    code, printed = command("run", *asked, output="local")
    assert code == 0, printed
    by_slurm, here = (without_circumstances(read_records(place / one)) for one in ("my results 50%", "local"))
    assert len(here) == 12
    assert by_slurm == here
    log = next(results.glob("*Frozen*")) / "job.log"
    assert log.is_symlink()
    assert "Frozen" in log.read_text()


@pytest.mark.timeout(1200)
def test_recipes_submitted_at_once_train_their_model_once_and_a_failing_run_stops_nobody(command, place, monkeypatch):
    for draw in (0, 1):
        (place / f"recipe-{draw}.yaml").write_text(SHARING.replace("DRAW", str(draw)))
    launched = ("--launcher", "slurm", "--runs-per-job", "2")
    assert command("run", "recipe-0.yaml", *launched)[0] == 0
    assert command("run", "recipe-1.yaml", "--only", *trained_of("recipe-1.yaml", command), *launched)[0] == 0
    (first, _), (_, second) = states(command, "recipe-0.yaml"), states(command, "recipe-1.yaml")
    shown = said("scontrol", "show", "job", second[2])
    assert f"Dependency=afterany:{first[2]}" in shown
    assert " Requeue=1 " in shown

    monkeypatch.setattr("hf_fewshot.cli.launched.SECONDS", 0.5)
    code, printed = command("run", "recipe-0.yaml", *launched, "--wait")
    assert code == 1
    assert "hf-fewshot: 1 of 2 runs failed:\n  fewrel_n_way=3_shots=1_Broken_seed=0_" in printed
    assert [one[0] for one in states(command, "recipe-0.yaml")] == ["failed", "done"]
    code, printed = command("status", "recipe-0.yaml")
    assert code == 1
    assert "\n    max_length=9999, but the model has 130 positions" in printed
    assert "2 runs: 1 done, 1 failed.\n" in printed
    eventually(lambda: states(command, "recipe-1.yaml")[1][0] == "done")
    results = place / "my results 50%"
    assert len([path for path in (results / "models").iterdir() if path.name[0] != "."]) == 1
    taught = {record.run.data["seed"]: record.seconds.get("train", 0) > 0 for record in read_records(results)}
    assert taught == {0: True, 1: False}


def trained_of(recipe, command):
    _, printed = command("status", recipe, "--json")
    return [one["name"] for one in json.loads(printed.splitlines()[0]) if "Trained" in one["name"]]


def test_jobs_that_wait_are_cancelled(command, place):
    (place / "recipe.yaml").write_text(SHARING.replace("DRAW", "0, 1"))
    code, printed = command("run", "recipe.yaml", "--launcher", "slurm", "--sbatch", "begin=now+1hour")
    assert code == 0, printed
    waits = [one[:2] for one in states(command, "recipe.yaml")]
    assert {state for state, _ in waits} == {"waiting"}
    first, second = (job for _, _, job in states(command, "recipe.yaml")[2:])
    assert f"Dependency=afterany:{first}(unfulfilled)" in said("scontrol", "show", "job", second)
    code, printed = command("cancel", "recipe.yaml", "--seeds", "0", "--only", *trained_of("recipe.yaml", command))
    assert code == 0, printed
    assert "Cancelled the jobs of 2 runs." in printed
    eventually(lambda: [one[0] for one in states(command, "recipe.yaml")] == ["waiting"] * 2 + ["failed"] * 2)
    assert [one[1] for one in states(command, "recipe.yaml")][2:] == ["cancelled"] * 2
    assert "Cancelled the jobs of 2 runs." in command("cancel", "recipe.yaml")[1]
    assert "Nothing to cancel" in command("cancel", "recipe.yaml")[1]


def test_of_two_that_submit_at_the_same_moment_one_waits_for_the_model_of_the_other(slurm, place):
    data = {"sample": True, "n_way": 3, "shots": 1}
    runs = [Run("fewrel", "proto", data={**data, "seed": draw}, training={"max_steps": 1}) for draw in (0, 1)]
    launch = Slurm(["true"], options={"begin": "now+1hour"})
    with ThreadPoolExecutor(2) as pool:
        submitted = [one for one in pool.map(lambda run: launch_runs([run], place, launch), runs) if one is not None]
    first, second = sorted((one.ids[0] for one in submitted), key=lambda one: int(one.partition("_")[0]))
    assert f"Dependency=afterany:{first}(unfulfilled)" in said("scontrol", "show", "job", second)
    assert launch_runs(runs, place, launch) is None
    assert sorted(cancel_runs([run.name for run in runs], place)) == sorted(run.name for run in runs)


def test_what_sbatch_refuses_is_shown_and_leaves_nothing(command, place):
    (place / "recipe.yaml").write_text(SHARING.replace("DRAW", "0"))
    code, printed = command("run", "recipe.yaml", "--launcher", "slurm", "--sbatch", "partition=nope")
    assert code == 1
    assert "hf-fewshot: sbatch refused: sbatch: error: invalid partition specified: nope" in printed
    assert [one[0] for one in states(command, "recipe.yaml")] == ["missing", "missing"]
    shutil.rmtree(place / "my results 50%")
    (place / "my results 50%").touch()
    for words in (["run", "recipe.yaml", "--launcher", "slurm"], ["status", "recipe.yaml"]):
        code, printed = command(*words)
        assert code == 2
        assert "my results 50%/jobs': Not a directory." in printed
