"""Each metric folder is complete: code, card, examples that run, and a Space that stands alone."""

import ast
import doctest
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

FILES = {"README.md", "__init__.py", "app.py", "requirements.txt", "scoring.py"}
SECTIONS = ["How to use", "Inputs", "Outputs", "Limits", "Example", "Citation"]

# Run where nothing of the project can be imported by accident.
ALONE = """
import sys
from pathlib import Path

import evaluate

for folder in sorted(Path(sys.argv[1]).iterdir()):
    rows = {"joint_accuracy": [{"intent": "a", "slot_tags": ["O"]}], "nota_f1": ["NOTA"]}.get(folder.name, [["O"]])
    metric = evaluate.load(str(folder / f"{folder.name}.py"))
    assert metric.compute(predictions=rows, references=rows), folder
assert not [name for name in sys.modules if name.startswith("hf_fewshot")]
print("scored", len(list(Path(sys.argv[1]).iterdir())))
"""


@pytest.fixture(scope="module")
def folders(project):
    """All metric folders."""
    return sorted(path.parent for path in (project / "metrics").glob("*/README.md"))


@pytest.fixture
def folder(metric_name, project):
    return project / "metrics" / metric_name


@pytest.fixture
def card(folder):
    """The metadata and the text of the card."""
    _, metadata, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(metadata), text


def test_there_are_five_metric_folders(folders):
    assert [folder.name for folder in folders] == ["entity_f1", "joint_accuracy", "nota_f1", "s1", "slot_f1"]


def test_a_folder_holds_all_files_of_a_space(folder, metric_name):
    assert {path.name for path in folder.iterdir()} >= FILES | {f"{metric_name}.py"}


def test_shared_code_is_linked_not_copied(folder, project):
    links = [path for path in folder.iterdir() if path.is_symlink()]
    assert {path.name for path in links} >= {"demo.py", "grouped_metric.py", "groups.py", "inputs.py"}
    for path in links:
        assert os.readlink(path) == f"../shared/{path.name}"
        assert path.resolve() == project / "metrics" / "shared" / path.name
        assert path.is_file()


def test_the_metric_names_every_file_that_evaluate_must_copy(folder, metric_name):
    # evaluate copies the files that <name>.py imports, and not those that they import in turn.
    imported = {
        node.module
        for node in ast.walk(ast.parse((folder / f"{metric_name}.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level == 1
    }
    assert {f"{module}.py" for module in imported} == {path.name for path in folder.glob("*.py")} - {
        "__init__.py",
        "app.py",
        "demo.py",
        f"{metric_name}.py",
    }


def test_the_card_has_the_metadata_of_a_space(card):
    metadata, _ = card
    colors = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert metadata["sdk"] == "gradio"
    assert metadata["app_file"] == "app.py"
    assert metadata["pinned"] is False
    assert metadata["tags"] == ["evaluate", "metric"]
    assert {metadata["colorFrom"], metadata["colorTo"]} <= colors
    assert metadata["title"]
    assert metadata["emoji"]
    assert metadata["description"]


def test_the_card_asks_for_a_gradio_that_the_requirements_allow(card, folder):
    metadata, _ = card
    requirements = (folder / "requirements.txt").read_text().split()
    assert "gradio>=6,<7" in requirements
    assert metadata["sdk_version"].startswith("6.")
    assert not [line for line in requirements if "hf_fewshot" in line]


def test_the_card_has_all_sections(card):
    assert re.findall(r"^## (.+)$", card[1], flags=re.MULTILINE) == SECTIONS


def test_every_option_is_explained_in_the_card_and_in_the_help(card, metric, metric_name):
    scoring = importlib.import_module(f"hf_fewshot.metrics.{metric_name}.scoring")
    for option in inspect.signature(scoring.score).parameters:
        assert re.search(rf"`{option}[`=]", card[1]), option
        assert re.search(rf"^ *{option} \(", metric.inputs_description, flags=re.MULTILINE), option


def test_every_result_is_explained_in_the_card_and_in_the_help(card, metric, examples):
    inputs, options = examples
    extra = {"per_instance": True} if metric.name == "s1" else {}
    for key in metric.compute(**inputs, **options, **extra):
        section, slash, _ = key.partition("/")
        name = f"{section}/<" if slash else re.sub(r"_ci_(low|high)$", "", key)
        assert name in card[1], key
        assert name in metric.inputs_description, key


def test_the_card_cites_what_the_metric_cites(card, metric):
    assert metric.citation in card[1]


def test_examples_in_the_help_run(metric_name, project, monkeypatch):
    monkeypatch.chdir(project)
    module = importlib.import_module(f"hf_fewshot.metrics.{metric_name}.{metric_name}")
    results = doctest.testmod(module, raise_on_error=True)
    assert results.attempted >= 4


def test_examples_in_the_card_run(card, metric_name, project, monkeypatch):
    monkeypatch.chdir(project)
    blocks = [block for block in re.findall(r"```python\n(.*?)```", card[1], flags=re.DOTALL) if ">>>" in block]
    assert len(blocks) == 1
    test = doctest.DocTestParser().get_doctest(blocks[0], {}, f"{metric_name}/README.md", None, None)
    assert len(test.examples) >= 3
    doctest.DebugRunner().run(test)


def test_copied_folders_work_alone(folders, tmp_path):
    for folder in folders:
        shutil.copytree(folder, tmp_path / "spaces" / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-I", "-c", ALONE, str(tmp_path / "spaces")]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=400)
    assert run.stdout == "scored 5\n", run.stderr
