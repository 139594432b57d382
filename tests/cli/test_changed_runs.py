"""A finished run answers only for itself: through the command line."""

import io
import json
import os
import shutil
import sys
from contextlib import redirect_stderr

import pytest

from hf_fewshot.cli import main
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.runs.folder import read_records
from tests.attacks.forked import Forked

ONE = ["--benchmark", "fewrel", "--split", "validation", "--n-way", 3, "--shots", 1, "--n-episodes", 5]
METHOD = """
from hf_fewshot.methods.prototypes import Prototypes
import hf_fewshot
from hf_fewshot.registry import register_method


class Own(Prototypes):
    def forward(self, *arguments):
        return {sign} * super().forward(*arguments)


register_method("own", "own_methods:Own", tasks=("relation",))
"""


@pytest.fixture
def raw(tmp_path):
    """Raw files of FewRel in a folder of the test's own."""
    return shutil.copytree(sample_folder("fewrel"), tmp_path / "raw")


@pytest.fixture
def run(tmp_path):
    """Runs the command with an output folder."""

    def call(*arguments):
        return main(["run", *map(str, [*ONE, *arguments]), "--output", str(tmp_path / "results")])

    return call


def swap_labels(folder, name="val_wiki.json"):
    """Gives the sentences of each relation to the next one: ids stay, what is right does not."""
    (path,) = folder.rglob(name)
    content = json.loads(path.read_text())
    names = list(content)
    path.write_text(json.dumps(dict(zip(names, [content[one] for one in [*names[1:], names[0]]], strict=True))))


def test_a_record_that_is_read_says_so_with_its_time(run, raw, tmp_path, capsys):
    run("--method", "one_class", "--data-dir", raw)
    assert "were read" not in capsys.readouterr().out
    assert run("--method", "one_class", "--data-dir", raw) == 0
    (record,) = read_records(tmp_path / "results")
    expected = f"1 of 1 results were read, not made: they were there since {record.started}."
    assert expected in capsys.readouterr().out
    run("--method", "one_class", "--data-dir", raw, "--json")
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["was_read"], found["started"]) == (True, record.started)


def test_rewritten_data_end_in_a_sentence_and_again_keeps_both(run, raw, tmp_path, capsys):
    run("--method", "one_class", "--data-dir", raw)
    (first,) = read_records(tmp_path / "results")
    swap_labels(raw)
    capsys.readouterr()
    assert run("--method", "one_class", "--data-dir", raw) == 2
    told = capsys.readouterr()
    assert "has changed since" in told.err
    assert "episodes (was" in told.err
    assert "--again" in told.err
    assert f"{100 * first.score:.2f}" not in told.out
    assert run("--method", "one_class", "--data-dir", raw, "--again") == 0
    assert "were read" not in capsys.readouterr().out
    (second,) = read_records(tmp_path / "results")
    assert second.depends_on != first.depends_on
    assert read_records(tmp_path / "results" / "earlier") == [first]
    assert run("--method", "one_class", "--data-dir", raw, "--again") == 0
    assert "1 of 1 results were read" in capsys.readouterr().out
    assert read_records(tmp_path / "results") == [second]


def test_another_data_dir_ends_in_a_sentence(run, raw, tmp_path, capsys):
    other = shutil.copytree(raw, tmp_path / "other")
    swap_labels(other)
    run("--method", "one_class", "--data-dir", raw)
    assert run("--method", "one_class", "--data-dir", other) == 2
    assert "what its result depends on has changed" in capsys.readouterr().err


def test_a_model_trained_on_other_data_is_trained_anew(run, raw, encoder, tmp_path):
    training = ["--training", "max_steps=1", "--training", 'data={"n_episodes": 4}', "--model", encoder]
    assert run("--method", "proto", *training, "--data-dir", raw) == 0
    swap_labels(raw, "train_wiki.json")
    assert run("--method", "proto", *training, "--data-dir", raw, "-o", "seed=1") == 0
    assert all("train" in record.seconds for record in read_records(tmp_path / "results"))


def main_alone(send, folder, arguments):
    """Calls the command in a folder, and sends its exit code and errors: in a process that was forked for it."""
    sys.dont_write_bytecode = True
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    with redirect_stderr(io.StringIO()) as errors:
        code = main(arguments)
    send((code, errors.getvalue()))


def test_an_edited_method_ends_in_a_sentence(encoder, tmp_path):
    (tmp_path / "own_methods.py").write_text(METHOD.format(sign=1))
    words = ["run", *map(str, ONE), "--sample", "--import", "own_methods", "--method", "own", "--model", str(encoder)]

    def call(*arguments):
        with Forked(main_alone, tmp_path, [*words, *arguments]) as process:
            return process.received(240)

    assert call()[0] == 0
    (first,) = read_records(tmp_path / "results")
    (tmp_path / "own_methods.py").write_text(METHOD.format(sign=-1))
    code, errors = call()
    assert code == 2
    assert "source of own_methods (was" in errors
    assert call("--again")[0] == 0
    (second,) = read_records(tmp_path / "results")
    assert first.numerators != second.numerators
    assert read_records(tmp_path / "results" / "earlier") == [first]


def test_one_changed_run_of_a_recipe_does_not_stop_the_others(raw, tmp_path, capsys):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "benchmark: fewrel\nsplit: validation\ndata: {n_way: 3, shots: 1, n_episodes: 5}\n"
        "settings: [{nota_rate: 0.2}, {nota_rate: 0.5}]\nsystems:\n  None: {method: always_none}\n"
    )
    command = ["run", str(recipe), "--data-dir", str(raw), "--output", str(tmp_path / "results")]
    main([*command, "--task-index", "0"])
    swap_labels(raw)
    assert main(command) == 1
    output = capsys.readouterr()
    assert "1 of 2 runs failed" in output.err
    assert "has changed since" in output.err
    assert "[2 of 2]" in output.out
    assert main([*command, "--again"]) == 0
    assert "1 of 2 results were read, not made" in capsys.readouterr().out


def test_whatever_a_run_raises_the_others_go_on(tmp_path, capsys, monkeypatch):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "benchmark: fewrel\nsplit: validation\ndata: {n_way: 3, shots: 1, n_episodes: 5, sample: true}\n"
        "systems:\n  One: {method: one_class}\n  None: {method: always_none}\n"
    )

    def predict(system, episodes, setup):
        if system.name == "one_class":
            raise KeyError("unforeseen")
        return [["NOTA"] * len(episode.query) for episode in episodes]

    monkeypatch.setattr("hf_fewshot.systems.baseline.BaselineSystem.predict", predict)
    assert main(["run", str(recipe), "--output", str(tmp_path / "results")]) == 1
    errors = capsys.readouterr().err
    assert "1 of 2 runs failed" in errors
    assert "KeyError: 'unforeseen'" in errors
    assert {record.run.system for record in read_records(tmp_path / "results")} == {"None"}
