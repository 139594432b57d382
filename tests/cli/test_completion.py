import json

import pytest
from huggingface_hub import constants

from hf_fewshot.cli import completion, parser
from hf_fewshot.registry import CONFIGS


def completer(command: str, option: str):
    """What completes an option."""
    (commands,) = [one for one in parser()._actions if one.choices and command in one.choices]
    (action,) = [one for one in commands.choices[command]._actions if option in (*one.option_strings, one.dest)]
    return action.completer


def test_names_are_completed_in_commands_that_take_them():
    assert completer("run", "--method") is completion.methods
    assert completer("list", "name") is completion.methods_and_benchmarks
    assert completer("run", "--config") is completer("show", "--config") is completion.configs
    assert completer("run", "--model") is completer("fit", "--model") is completion.models
    assert completer("run", "--benchmark") is completer("show", "benchmark") is completion.benchmarks
    assert completer("run", "recipes") is completion.recipes
    assert {"proto", "in_context"} <= set(completion.methods())
    assert "fewrel" in completion.benchmarks()
    assert {"nnshot", "clues"} <= set(completion.methods_and_benchmarks())


def test_recipes_are_completed_by_name_or_as_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.yaml", "notes.txt"):
        (tmp_path / name).touch()
    offered = completion.recipes("")
    assert {"few_nerd_inter", "sample/fewrel", "mine.yaml"} <= set(offered)
    assert "notes.txt" not in offered


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hf-fewshot run --benchmark few_nerd --config ", ["inter", "intra", "supervised"]),
        ("hf-fewshot show clues --config ", list(CONFIGS["clues"])),
        ("hf-fewshot run --config ", [config for own in CONFIGS.values() for config in own]),
    ],
)
def test_configurations_are_those_of_the_benchmark_in_the_line(line, expected, monkeypatch):
    monkeypatch.setenv("COMP_LINE", line)
    assert completion.configs() == expected


def test_models_are_embedded_cached_or_folders_here(tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    for name, file in (("models--me--small", "config.json"), ("models--me--adapter", "adapter_config.json")):
        folder = tmp_path / "cache" / name / "snapshots" / "abc"
        folder.mkdir(parents=True)
        (folder / file).write_text(json.dumps({}))
        (tmp_path / "cache" / name / "refs").mkdir()
        (tmp_path / "cache" / name / "refs" / "main").write_text("abc")
    (tmp_path / "here" / "my-model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert completion.models("") == [
        *("all-MiniLM-L6-v2", "m3e-small", "SmolLM2-135M-Instruct"),
        *("me/small", "my-model/"),
    ]
