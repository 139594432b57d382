"""What a machine that sees nothing of this one could not find."""

from pathlib import Path

import pytest

from hf_fewshot.launching.elsewhere import extras_of, problems_elsewhere
from hf_fewshot.launching.shipped_files import own_modules, shipped_files
from hf_fewshot.runs.run import Run


def test_sample_data_downloads_and_datasets_of_the_hub_are_everywhere():
    runs = [
        Run("fewrel", "always_none", data={"sample": True}),
        Run("few_nerd", "nnshot", config="inter", model="someone/encoder"),
        Run("own_texts", "proto", model="all-MiniLM-L6-v2"),
        Run("fs_tacred", "always_none", data={"sample": True}),
    ]
    assert problems_elsewhere(runs, {"--data": "hub:me/texts"}) == []


@pytest.mark.parametrize(
    ("run", "places", "message"),
    [
        (Run("fs_tacred", "always_none"), {}, "fs_tacred is licensed data that cannot be downloaded, and must not be"),
        (
            Run("fewrel", "always_none", data={"sample": True}),
            {"--data-dir": "/data"},
            "--data-dir /data is a folder of this machine, which jobs do not see. Leave it out where the data can be",
        ),
        (Run("own_texts", "proto"), {}, "own_texts reads data of your own: give --data hub:user/name, or --sample."),
        (Run("fewrel", "proto", data={"sample": True}, model="."), {}, "model='.' is a folder of this machine"),
        (
            Run("own_texts", "proto"),
            {"--data": "texts.csv"},
            "--data texts.csv is a file of this machine, which jobs do not see. Upload it to a private dataset of the "
            "Hub, and give --data hub:user/name.",
        ),
    ],
)
def test_what_only_this_machine_has_is_named_with_a_way_out(run, places, message):
    (problem,) = problems_elsewhere([run, run], places)
    assert problem.startswith(message)


def test_models_inside_packages_take_their_extra():
    assert "embedded" in extras_of([Run("fewrel", "proto", model="all-MiniLM-L6-v2")])
    assert "embedded" not in extras_of([Run("fewrel", "proto", model="someone/encoder")])


def test_recipes_prompts_and_own_code_go_along_under_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine" / "deep").mkdir(parents=True)
    for name in ("recipe.yaml", "mine/prompt.yaml", "mine/__init__.py", "mine/deep/__init__.py", "unused.py"):
        (tmp_path / name).touch()
    (tmp_path / "own.py").write_text("import json\nfrom mine.deep.code import x\n")
    (tmp_path / "mine" / "deep" / "code.py").write_text("import own\n")
    run = Run("fewrel", "always_none", options={"format": "mine/prompt.yaml"})
    found = shipped_files([run], [Path("recipe.yaml")], "own", tmp_path)
    assert sorted(found) == [
        *("mine/__init__.py", "mine/deep/__init__.py", "mine/deep/code.py", "mine/prompt.yaml"),
        *("own.py", "recipe.yaml"),
    ]
    assert list(own_modules("json", tmp_path)) == []


@pytest.mark.parametrize("above", [True, False])
def test_a_file_that_would_have_another_name_there_is_refused(above, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "recipe.yaml").touch()
    monkeypatch.chdir(tmp_path / "here")
    path = Path("..", "recipe.yaml") if above else tmp_path / "recipe.yaml"
    with pytest.raises(ValueError, match=r"recipe\.yaml, the recipe: jobs find files under the names that they have"):
        shipped_files([], [path], None, tmp_path / "here")
