"""What is handed to a cluster, as far as it shows without one; tests/launching has a real Slurm."""

import shlex
import sys

import pytest

from hf_fewshot.cli import main
from hf_fewshot.cli.launcher import launcher_of
from hf_fewshot.cli.main import parser

RECIPE = """
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 5}
settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]
systems:
  Prototypes: {method: proto, model: ENCODER, training: {max_steps: 2}, seeds: [0, 1]}
  None: {method: always_none}
"""
JOBS = ["--launcher", "jobs", "--repo", "me/results", "--package", "hf_fewshot==0.1.0"]
KNOWN = ["--model", "all-MiniLM-L6-v2"]


@pytest.fixture
def recipe(encoder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.replace("ENCODER", str(encoder)))
    return path


def command_of(words):
    options = parser().parse_args(words)
    options.command_line = shlex.join(["hf-fewshot", *words])
    return launcher_of(options, []).command


def test_a_job_gets_the_same_options_and_places_that_hold_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my data").mkdir()
    given = ["--seeds", "0", "1", "--method-option", "tau=0.3", "--import", "own", "--again"]
    words = [
        *("--debug", "run", "recipe.yaml", "--launcher", "slurm", "--sbatch", "time=2:00:00", "--sbatch=gres=gpu:1"),
        *("--at-once", "3", "--data-dir", "my data", *given, "--wait", "--json", "--task-index", "3"),
    ]
    assert command_of(words) == [
        *(sys.executable, "-m", "hf_fewshot.cli", "--debug", "run", "recipe.yaml", *given),
        *("--output", str(tmp_path / "results"), "--data-dir", str(tmp_path / "my data")),
    ]


def test_data_of_the_hub_stays_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", "--data", "someone/intents", "--task", "classification", "--method", "proto"]
    assert command_of([*words, "--launcher", "slurm"])[3:] == [
        *("run", "--task", "classification", "--method", "proto"),
        *("--output", str(tmp_path / "results"), "--data", "someone/intents"),
    ]


def test_a_job_that_would_submit_jobs_is_refused():
    with pytest.raises(ValueError, match="Write --launcher and the options behind it in full"):
        command_of(["run", "recipe.yaml", "--launch", "slurm"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--wait"], "--wait is about jobs. Give --launcher slurm or jobs, or leave it out."),
        (["--sbatch", "time=1"], "--sbatch is an option of --launcher slurm. Give that, or leave it out."),
        (["--launcher", "slurm", "--no-models"], "--no-models in one job would delete what others still need"),
        (["--launcher", "slurm", "--episodes", "0:2"], "--episodes and --launcher exclude each other"),
        (["--launcher", "slurm", "--sbatch", "array=3"], "the launcher says array itself"),
        (["--launcher", "slurm", "--sbatch", "time=1", "--sbatch", "time=2"], "time is given twice"),
        (["--launcher", "jobs"], "--launcher jobs needs a dataset repository for results"),
        ([*JOBS, "--sbatch", "time=1"], "--sbatch is an option of --launcher slurm. Give that, or leave it out."),
        (["--flavor", "t4-small"], "--flavor is an option of --launcher jobs. Give that, or leave it out."),
        ([*JOBS, "--again"], "--again and --launcher jobs exclude each other"),
        ([*JOBS, *KNOWN, "--timeout", "2"], "expected a time such as 30m, 2h or 1d, got '2'"),
        ([*JOBS, *KNOWN, "--secret", "NOWHERE_SET"], "--secret NOWHERE_SET: here is no such environment variable"),
        (JOBS, "/sample' is a folder of this machine, which jobs do not see. Upload it to a private model repository"),
        (["--only", "a", "--task-index", "0"], "--only and --task-index exclude each other"),
        (["--only", "fewrel_None"], "--only fewrel_None: none of the 6 runs has this name. A name stands for all"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message, recipe, capsys):
    assert main(["run", recipe.name, *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["time", "=1", "time="])
def test_an_option_of_sbatch_has_a_name_and_a_value(text, recipe, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run", str(recipe), "--launcher", "slurm", "--sbatch", text])
    assert f"expected key=value, such as partition=gpu, got '{text}'" in capsys.readouterr().err


def test_without_slurm_a_plan_can_be_made_and_nothing_submitted(recipe, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    launched = ["run", str(recipe), "--launcher", "slurm", "--runs-per-job", "2"]
    assert main([*launched, "--dry-run"]) == 0
    output = capsys.readouterr().out
    assert "6 runs would be submitted as 3 jobs:\n#!/bin/bash\n#SBATCH --job-name=hf-fewshot\n" in output
    assert "#SBATCH --array=0-2%16\n" in output
    assert "On a Slurm cluster" not in output
    assert not (tmp_path / "results").exists()
    assert main(launched) == 1
    assert "There is no sbatch on this machine" in capsys.readouterr().err
    assert not list((tmp_path / "results").glob("*/job.sh"))
    assert main(["status", str(recipe)]) == 0
    assert capsys.readouterr().out.endswith("6 runs: 6 missing.\n")
    assert main(["cancel", str(recipe)]) == 0
    assert capsys.readouterr().out == "Nothing to cancel: no job waits or runs.\n"


def test_runs_are_chosen_by_name_and_a_failure_is_shown_until_it_is_mended(recipe, tmp_path, monkeypatch, capsys):
    recipe.write_text(RECIPE.replace("ENCODER", str(tmp_path)).replace(", training: {max_steps: 2}", ""))
    (tmp_path / "config.json").write_text("{}")  # a model, until it is opened
    main(["status", str(recipe)])
    names = [line.split()[1] for line in capsys.readouterr().out.splitlines()[:-1]]
    assert main(["run", str(recipe), "--only", names[0], names[2]]) == 1
    failed = [line for line in capsys.readouterr().err.splitlines() if names[0] in line]
    assert main(["status", str(recipe)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["failed", names[0]]
    assert lines[1].strip() in failed[0]
    assert [line.split()[0] for line in lines[2:-1]] == ["missing", "done", "missing", "missing", "missing"]
    assert lines[-1] == "6 runs: 1 done, 1 failed, 4 missing."
