"""A package outside of the project brings a task, a benchmark, a method and a system, which everything then knows."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DATA = ["--sample", "--n-way", "2", "--shots", "1", "--n-episodes", "3"]


@pytest.fixture
def python(tmp_path):
    """Runs code in a process of its own, in an empty folder, with own_things as a plugin."""

    def run(code, **environment):
        places = os.pathsep.join([str(HERE), str(tmp_path)])
        environment = {"PYTHONPATH": places, "HF_FEWSHOT_PLUGINS": "own_things", **environment}
        begin = "import json, sys, datasets; datasets.disable_progress_bars(); from hf_fewshot.cli import main\n"
        return subprocess.run(
            [sys.executable, "-c", begin + code],
            env={**os.environ, **environment},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    return run


def done(process):
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_commands_know_the_benchmark_and_its_task(python, tmp_path):
    commands = [
        ["list", "--json"],
        ["show", "own_pairs", "--sample"],
        ["sample", "own_pairs", *DATA, "--output", "episodes.jsonl"],
        ["verify", "own_pairs", *DATA, "--json"],
        ["export", "own_pairs", *DATA, "--output", "exported"],
    ]
    code = f"for command in {commands}:\n    assert main(command) == 0; print('=====')\n"
    code += "print('torch' in sys.modules)"
    listed, shown, _, verified, exported, has_torch = done(python(code)).split("=====\n")
    assert json.loads(listed)["benchmarks"]["own_pairs"] == {
        "task": "pairs",
        "configs": ["default"],
        "needs": "your files (--data-dir)",
        "about": "how two sentences about the weather are related",
    }
    assert shown.splitlines()[0] == "own_pairs test: 5 rows"
    assert "forecast: There is fog in Oslo. / Tomorrow Oslo will have fog again." in shown
    assert json.loads(verified)["n_episodes"] == 3
    assert "exported is ready" in exported
    assert has_torch == "False\n"
    rows = [json.loads(line) for line in (tmp_path / "episodes.jsonl").read_text().splitlines()]
    assert [len(row["support"]) for row in rows] == [2, 2, 2]
    assert set(rows[0]["query"][0]) == {"id", "first", "second", "label", "target"}
    card = (tmp_path / "exported" / "README.md").read_text()
    assert "pretty_name: Own pairs (sample data of hf_fewshot)" in card


def test_the_method_and_the_system_run_are_reported_and_pushed(python, encoder, tmp_path):
    run = ["run", "--benchmark", "own_pairs", *DATA, "--output", "results", "--method"]
    commands = [
        ["list", "overlap", "--json"],
        [*run, "overlap", "--method-option", "shortest=2", "--json"],
        [*run, "one_class", "--json"],
        [*run, "cosine_pairs", "--model", str(encoder), "--training", "max_steps=1", "--json"],
        ["report", "results", "--output", "report.html"],
        ["push", "results", "--repo", "me/pairs", "--dry-run"],
    ]
    code = f"for command in {commands}:\n    assert main(command) == 0; print('=====')\n"
    code += f"assert main({[*run, 'overlap', '--method-option', 'x=1']}) == 2"
    process = python(code)
    listed, overlap, trivial, cosine, reported, pushed, _ = done(process).split("=====\n")
    assert [option["name"] for option in json.loads(listed)["options"]] == ["ignore_case", "shortest"]
    assert json.loads(listed)["options"][1] == {
        "name": "shortest",
        "type": "a whole number",
        "default": 1,
        "help": "words with fewer letters do not count.",
    }
    assert json.loads(overlap)[0]["scores"]["n"] == 6
    assert json.loads(trivial)[0]["score"] == 0.5
    assert json.loads(cosine)[0]["baselines"] == {"one_class": 0.5}
    assert "3 records in report.html" in reported
    assert "model.safetensors" in pushed
    assert "cosine_pairs" in (tmp_path / "report.html").read_text()
    assert "Unknown option of method 'overlap' 'x'" in process.stderr


def test_predictions_are_scored(python):
    code = """
import hf_fewshot
from pathlib import Path
from hf_fewshot.runs.predictions import Header, write_predictions

data = {"sample": True, "n_way": 2, "shots": 1, "n_episodes": 3}
rows = datasets.load_dataset("own_pairs", split="test", **data)
episodes = hf_fewshot.load_episodes("own_pairs", split="test", **data)
assert [row["classes"] for row in rows] == [list(episode.classes) for episode in episodes]
right = [[episodes.plain_examples[number]["label"] for number in episode.query] for episode in episodes]
right[0].reverse()
write_predictions(Path("predictions.jsonl"), Header("own_pairs", data=data, system="mine"), episodes, right)
assert main(["score", "predictions.jsonl", "--json"]) == 0
"""
    (found,) = json.loads(done(python(code)))
    assert found["system"] == "mine"
    assert found["scores"]["accuracy"] == pytest.approx(4 / 6)
    assert found["baselines"] == {"one_class": 0.5}


def test_rows_are_kept_under_the_code_of_the_package(python):
    code = """
from hf_fewshot.row_code import row_modules
print([name for name in sorted(row_modules("own_pairs")) if name.startswith("own_")])
print("hf_fewshot.episodes.n_way_k_shot" in row_modules("own_pairs"))
"""
    own = ["own_things.own_pairs.own_pairs", "own_things.own_pairs.sample", "own_things.pairs"]
    assert done(python(code)) == f"{own}\nTrue\n"


def test_an_installed_package_is_found_by_its_entry_point(python, tmp_path):
    about = tmp_path / "own_things-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: own_things\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[hf_fewshot]\nown_things = own_things:register\n")
    code = "print(datasets.get_dataset_config_names('own_pairs'), 'own_pairs' in str(main(['list'])))"
    assert done(python(code, HF_FEWSHOT_PLUGINS="")).endswith("['default'] False\n")


def test_a_plugin_that_fails_is_named_and_nothing_else_fails(python, tmp_path):
    (tmp_path / "half.py").write_text("def register():\n    raise KeyError('no such thing')\n")
    (tmp_path / "empty.py").write_text("")
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[hf_fewshot]\nbroken = nowhere:register\n")
    process = python("main(['list', '--json'])", HF_FEWSHOT_PLUGINS="missing, half,empty,own_things")
    assert set(json.loads(done(process))["benchmarks"]) > {"clues", "own_pairs"}
    left_out = "could not be registered and is left out"
    assert process.stderr.splitlines() == [
        f"The plugin 'broken' of package broken-package {left_out} (ModuleNotFoundError: No module named 'nowhere').",
        f"The module 'missing' of HF_FEWSHOT_PLUGINS {left_out} (ModuleNotFoundError: No module named 'missing').",
        f"The module 'half' of HF_FEWSHOT_PLUGINS {left_out} (KeyError: 'no such thing').",
        f"The module 'empty' of HF_FEWSHOT_PLUGINS {left_out} (AttributeError: it has no function register()).",
    ]


def test_one_thing_that_cannot_be_imported_is_named_and_the_rest_goes_on(python, tmp_path):
    (tmp_path / "ghosts.py").write_text(
        "from hf_fewshot.registry import register_benchmark, register_task\n\n\ndef register():\n"
        "    register_benchmark('ghost', 'nowhere.module:Ghost')\n    register_task('ghost', 'nowhere:Ghost')\n"
    )
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n")
    code = "main(['list', '--json'])\nfrom hf_fewshot.tasks import usable_tasks\n"
    code += "print([task.name for task in usable_tasks()], file=sys.stderr)"
    process = python(code, HF_FEWSHOT_PLUGINS="ghosts,leaving,own_things")
    benchmarks = json.loads(done(process))["benchmarks"]
    assert benchmarks["ghost"]["about"] == "cannot be used: No module named 'nowhere'"
    assert benchmarks["own_pairs"]["task"] == "pairs"
    warning, tasks = process.stderr.splitlines()
    assert warning.startswith("The module 'leaving' of HF_FEWSHOT_PLUGINS could not be registered and is left out")
    assert tasks == "['joint', 'tagging', 'relation', 'classification', 'spans', 'pairs']"


BARE = """
from own_things.own_pairs.own_pairs import OwnPairs

class Bare(OwnPairs):
    NAME, ABOUT, SHOWN = "bare", "", {}
"""


def test_a_benchmark_without_a_card_and_sample_data_is_shown_and_exported(python, tmp_path):
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "builder.py").write_text(BARE)
    row = {"first": "It rains.", "second": "It pours.", "label": "same"}
    (tmp_path / "test.jsonl").write_text(json.dumps(row) + "\n")
    code = """
from hf_fewshot.registry import register_benchmark
register_benchmark("bare", "bare.builder:Bare")
for command in (["list"], ["show", "bare", "--data-dir", "."], ["export", "bare", "--data-dir", ".", "--output", "x"]):
    assert main(command) == 0
assert main(["show", "bare", "--sample"]) == 2
"""
    process = python(code)
    assert "same: It rains. / It pours." in done(process)
    assert "bare has no sample data: there is no module bare.sample with a function write(folder)." in process.stderr
    assert "license: unknown" in (tmp_path / "x" / "README.md").read_text()
