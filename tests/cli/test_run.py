import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from hf_fewshot.cli import main
from hf_fewshot.runs.folder import read_records

RECIPE = """
benchmark: fewrel
split: validation
data: {sample: true, n_way: 3, shots: 1, n_episodes: 5}
settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]
systems:
  Prototypes: {method: proto}
  None: {method: always_none}
"""


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE)
    return path


@pytest.fixture
def run(encoder, tmp_path):
    """Runs the command with the tiny encoder and an output folder."""

    def call(*arguments):
        return main(["run", *map(str, arguments), "--model", str(encoder), "--output", str(tmp_path / "results")])

    return call


ONE = ["--benchmark", "fewrel", "--split", "validation", "--n-way", 3, "--shots", 1, "--n-episodes", 5, "--sample"]


def test_one_run_ends_with_a_table(run, tmp_path, capsys):
    assert run(*ONE, "--method", "proto", "-o", "nota_rate=0.5") == 0
    output = capsys.readouterr().out
    (record,) = read_records(tmp_path / "results")
    assert record.run.data == {"n_way": 3, "shots": 1, "n_episodes": 5, "sample": True, "nota_rate": 0.5}
    assert f"{100 * record.score:.2f}" in output
    assert "always none" in output
    assert record.command.startswith("hf-fewshot run --benchmark fewrel --split validation --n-way 3 ")


def test_scores_as_json(run, tmp_path, capsys):
    assert run(*ONE, "--method", "one_class", "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    (record,) = read_records(tmp_path / "results")
    assert found["folder"] == str(tmp_path / "results" / record.run.name)
    assert (found["measure"], found["score"], found["interval"]) == ("f1", record.score, list(record.intervals["f1"]))


def test_a_recipe_runs_what_is_missing(run, recipe, tmp_path, capsys):
    assert run(recipe, "--task-index", 1) == 0
    (first,) = read_records(tmp_path / "results")
    assert (first.run.system, first.run.data["nota_rate"]) == ("None", 0.2)
    assert run(recipe) == 0
    output = capsys.readouterr().out
    assert "[4 of 4]" in output
    records = read_records(tmp_path / "results")
    assert len(records) == 4
    assert first in records


def test_a_dry_run_runs_nothing(run, recipe, encoder, tmp_path, capsys):
    assert run(recipe, "--dry-run") == 0
    assert not (tmp_path / "results").exists()
    assert "4 runs, 4 missing: no estimate yet" in capsys.readouterr().out
    run(recipe, "--task-index", 0)
    capsys.readouterr()
    assert run(recipe, "--dry-run") == 0
    output = capsys.readouterr().out
    assert "4 runs, 3 missing: about" in output
    each = f"hf-fewshot run {recipe} --model {encoder} --output {tmp_path / 'results'}"
    assert f"On a Slurm cluster: {each} --launcher slurm\n" in output
    main(["run", str(recipe), "--model", "a-large-one", "--output", str(tmp_path / "results"), "--dry-run"])
    assert "4 runs, 4 missing: no estimate yet" in capsys.readouterr().out


def test_the_command_line_comes_before_the_recipe(run, recipe, tmp_path):
    assert run(recipe, "-o", "nota_rate=0.4", "--seeds", 3, "--n-episodes", 4) == 0
    records = read_records(tmp_path / "results")
    assert len(records) == 2  # both settings became one
    assert {record.run.seed for record in records} == {3}
    assert {record.run.data["nota_rate"] for record in records} == {0.4}
    assert {record.episodes["n_episodes"] for record in records} == {4}


def test_a_failing_run_does_not_stop_the_others(run, recipe, tmp_path, capsys):
    recipe.write_text(RECIPE.replace("method: proto}", "method: proto, options: {max_length: 9999}}"))
    assert run(recipe) == 1
    errors = capsys.readouterr().err
    assert "2 of 4 runs failed" in errors
    assert "max_length=9999, but the model has" in errors
    assert {record.run.system for record in read_records(tmp_path / "results")} == {"None"}


LEAVES = """
import sys
from hf_fewshot.registry import register_system
from hf_fewshot.systems.system import System


class Leaves(System):
    @classmethod
    def fit(cls, work):
        sys.exit("I am leaving")


register_system("leaves", "leaving:Leaves", tasks=["relation"])
"""


def test_code_of_ones_own_that_leaves_does_not_stop_the_other_runs(run, recipe, tmp_path, capsys, monkeypatch):
    (tmp_path / "leaving.py").write_text(LEAVES)
    recipe.write_text("import: leaving\n" + RECIPE.replace("method: proto", "method: leaves"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "leaving", raising=False)
    assert run(recipe) == 2
    assert "needs code that is not part of hf_fewshot: import: leaving. " in capsys.readouterr().err
    assert run(recipe, "--import", "leaving") == 1
    errors = capsys.readouterr().err
    assert "2 of 4 runs failed" in errors
    assert "SystemExit: I am leaving. This is code of your own" in errors
    assert {record.run.system for record in read_records(tmp_path / "results")} == {"None"}


def test_a_recipe_of_the_package_runs_by_its_name(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("sample/fewrel", "--task-index", 0, "--dry-run") == 0
    assert "1 runs, 1 missing" in capsys.readouterr().out
    assert run("few_nerd_intre", "--dry-run") == 2
    assert "There is no file few_nerd_intre, and no recipe of this name. Did you mean " in capsys.readouterr().err


def test_training_of_the_command_line_is_for_what_is_trained(run, recipe, capsys):
    assert run(recipe, "--training", "max_steps=2", "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()[1:5]
    assert [line.split()[3] for line in lines] == ["2", "none", "2", "none"]


def test_nothing_of_a_recipe_runs_if_a_part_of_it_cannot(run, recipe, tmp_path, capsys):
    recipe.write_text(RECIPE.replace("method: proto}", "method: structshot}"))
    for command in (["--dry-run"], []):
        assert run(recipe, *command) == 2
        errors = capsys.readouterr().err
        assert "Method 'structshot' does not fit fewrel, whose task is relation. These do: proto, nnshot," in errors
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give a recipe, or --benchmark and --method"),
        (["--benchmark", "fewrel"], "Give a recipe, or --benchmark and --method"),
        ([*ONE, "--method", "prot"], "Unknown method 'prot'. Did you mean 'proto'?"),
        (
            [*ONE, "--method", "proto", "--method-option", "temprature=2"],
            "Unknown option of method 'proto' 'temprature'. Did you mean 'temperature'?",
        ),
        ([*ONE, "--method", "proto", "--training", "max_step=2"], "Did you mean 'max_steps'?"),
        (
            [*ONE, "--method", "always_none", "--training", "max_steps=2"],
            "Method 'always_none' is not trained, but got",
        ),
        ([*ONE, "--method", "proto", "-o", "nota_rat=0.5"], "Did you mean 'nota_rate'?"),
        ([*ONE, "--method", "proto", "--data-dir", "nowhere"], "exclude each other"),
    ],
)
def test_wrong_requests_end_with_a_message_and_code_2(run, capsys, arguments, message):
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err


def test_options_that_contradict_the_recipe_are_refused(run, recipe, capsys):
    assert run(recipe, "--method", "proto") == 2
    assert "--method contradicts" in capsys.readouterr().err
    assert run(recipe, "--task-index", 4) == 2
    assert "--task-index 4, but there are runs 0 to 3" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_an_error(encoder, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    arguments = ["run", *map(str, ONE), "--method", "proto", "--model", str(encoder), "--output"]
    assert main([*arguments, str(tmp_path / "file" / "results")]) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_a_full_disk_is_an_error_and_leaves_no_record(run, tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert run(*ONE, "--method", "always_none") == 2
    assert "The disk is full: predictions.jsonl does not fit in" in capsys.readouterr().err
    assert not list((tmp_path / "results").rglob("*record.json*"))
    monkeypatch.undo()
    assert run(*ONE, "--method", "always_none") == 0


def test_ctrl_c_leaves_a_run_that_goes_on(encoder, tmp_path):
    arguments = ["run", *map(str, ONE), "--method", "mnav", "--model", str(encoder), "--training", "max_steps=100000"]
    command = [
        sys.executable,
        "-m",
        "hf_fewshot.cli",
        *arguments,
        "--output",
        str(tmp_path),
        "--training",
        "save_steps=3",
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Shells let what they start in the background ignore Ctrl-C, and so would all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 240
    while process.poll() is None and not list(tmp_path.glob("models/.*/checkpoint-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, errors
    assert "interrupted. What is finished is kept; the same command goes on" in errors
    assert "Traceback" not in errors


def test_accelerate_launches_the_command_in_two_processes(tmp_path, monkeypatch):
    from tests.processes import free_port
    from tests.tiny_models import write_sample_bert

    # Dropout is drawn by each process for itself.
    encoder = write_sample_bert(tmp_path / "encoder", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)

    def arguments(processes):
        yield from ("run", *map(str, ONE), "--method", "mnav", "--model", str(encoder))
        yield from ("--training", "max_steps=2", "--training", 'data={"n_episodes": 8}')
        yield from ("--training", f"per_device_train_batch_size={4 // processes}")
        yield from ("--output", str(tmp_path / str(processes)))

    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    assert main(list(arguments(1))) == 0
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nproc_per_node",
        "2",
        "--master_port",
        str(free_port()),
    ]
    command += ["-m", "hf_fewshot.cli", *arguments(2)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    one, two = (read_records(tmp_path / str(processes))[0] for processes in (1, 2))
    assert (one.environment["n_processes"], two.environment["n_processes"]) == (1, 2)
    assert one.scores == two.scores
    assert json.dumps(one.episodes) == json.dumps(two.episodes)


def test_a_terminal_shows_a_table_that_grows(recipe, tmp_path):
    recipe.write_text(RECIPE.replace("Prototypes: {method: proto}", "One: {method: one_class}"))
    terminal, there = pty.openpty()
    command = [sys.executable, "-m", "hf_fewshot.cli", "run", str(recipe), "--output", str(tmp_path / "results")]
    process = subprocess.Popen(command, stdout=there, stderr=subprocess.STDOUT, env={**os.environ, "COLUMNS": "120"})
    os.close(there)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        shown += part
    assert process.wait(timeout=240) == 0, shown.decode()
    text = shown.decode()
    assert "4 of 4 runs done" in text
    assert text.count("runs done") > 1  # it was drawn again
