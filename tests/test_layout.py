"""The shape of the project: packages, imports, exports."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hf_fewshot
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, TASKS, resolve
from hf_fewshot.systems.options import system_class

ROOMS = {
    "hf_fewshot": "hf_fewshot",
    "dataset_scripts": "hf_fewshot.dataset_scripts",
    "metrics": "hf_fewshot.metrics",
    "recipes": "hf_fewshot.recipes",
    "trainers": "hf_fewshot.trainers",
}


@pytest.fixture(scope="module")
def rooms(project):
    """`docs/rooms.py`, which reads and draws the imports of all rooms."""
    spec = importlib.util.spec_from_file_location("rooms", project / "docs" / "rooms.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python_files(project):
    files = {room: sorted((project / room).rglob("*.py")) for room in ROOMS}
    assert all(files.values())
    return files


def test_every_folder_with_python_code_is_a_listed_package(project):
    settings = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["setuptools"]
    expected = set()
    for room, package in ROOMS.items():
        for file in python_files(project)[room]:
            inner = file.parent.relative_to(project / room).parts
            expected.add(".".join((package, *inner)))
    assert set(settings["packages"]) == expected
    assert settings["package-dir"] == {package: room for room, package in ROOMS.items()}


def test_rooms_import_only_rooms_before_them(rooms):
    order = list(rooms.ROOMS)
    for one in rooms.imports():
        known = {one.room, one.imported} <= {*order, *rooms.OUTSIDE}
        assert known, f"Give each room of {one} a place in docs/rooms.py"
        assert one.imported in order, f"{one.file} imports {one.imported}: it is reached by name only"
        assert one.room != "metrics", f"{one.file} imports {one.imported}: a metric must run alone"
        before = one.room in rooms.OUTSIDE or order.index(one.imported) < order.index(one.room)
        assert before, f"{one.file} imports {one.imported}, which comes after {one.room}"


def test_the_picture_of_the_rooms_is_that_of_the_code(project, rooms):
    drawn = (project / "docs" / "rooms.svg").read_text(encoding="utf-8")
    assert drawn == rooms.picture(), "The imports have changed. Draw them again: python docs/rooms.py"


def test_what_follows_from_other_imports_is_not_drawn(rooms):
    assert rooms.reduced({("c", "b"), ("b", "a"), ("c", "a"), ("d", "a")}) == {("c", "b"), ("b", "a"), ("d", "a")}


def test_no_task_is_told_by_its_name_but_in_its_own_file(project):
    """A new task is one file and one registry line: nothing else may decide by names of tasks."""
    files = [
        file
        for file in python_files(project)["hf_fewshot"]
        if file.parent.name != "tasks" and file.name != "registry.py"
    ]
    found = []
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            keys = node.keys if isinstance(node, ast.Dict) else []
            names = {one.value for one in [*compared, *keys] if isinstance(one, ast.Constant)} & set(TASKS)
            # "joint" is also a part of JointProto's network, "relation" a column.
            if names and (len(names) > 1 or not names <= {"joint", "relation", "spans"}):
                found.append(f"{file.name}:{node.lineno}")
    assert found == []


def test_no_benchmark_is_named_but_in_its_folder_and_the_registry(project):
    """A new benchmark is one folder and one registry line: its builder says all that is true of it."""
    found = []
    for file in python_files(project)["hf_fewshot"]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        if file.name != "registry.py":
            found += [f"{file.name}:{one.lineno}" for one in constants if one.value in list(BENCHMARKS)]
    assert found == []


def test_everything_exported_can_be_imported():
    assert hf_fewshot.__all__ == sorted(hf_fewshot.__all__)
    for name in hf_fewshot.__all__:
        assert getattr(hf_fewshot, name).__name__ == name
    assert set(hf_fewshot.__all__) <= set(dir(hf_fewshot))


def test_every_trainer_is_exported_beside_its_arguments():
    trained = filter(None, (system_class(name).trained_by(name) for name in SYSTEMS))
    references = {one for by in trained for one in by if isinstance(one, str) and ":" in one}
    named = {reference.partition(":")[2] for reference in references}
    assert set(hf_fewshot.trainers.__all__) == named
    assert {getattr(hf_fewshot.trainers, name) for name in named} == {resolve(reference) for reference in references}


def test_type_checkers_see_what_is_exported(project):
    tree = ast.parse((project / "hf_fewshot" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [block for block in tree.body if isinstance(block, ast.If)]
    names = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: node.module for node in names for alias in node.names}
    assert seen == {name: getattr(hf_fewshot, name).__module__ for name in hf_fewshot.__all__}
    rooms = [alias.asname for node in block.body if isinstance(node, ast.Import) for alias in node.names]
    assert rooms == ["hub", "trainers"]


def test_type_checkers_know_the_types_of_what_is_exported(project, tmp_path):
    installed = tmp_path / "site" / "hf_fewshot"  # as a wheel has it
    installed.mkdir(parents=True)
    beside = [project / room for room in ROOMS if room != "hf_fewshot"]
    for place in [*(project / "hf_fewshot").iterdir(), *beside]:
        (installed / place.name).symlink_to(place)
    names = [
        "predict",
        "Run",
        "FewShotModel",
        "hub.push_run",
        "trainers.EpisodicTrainer",
        "trainers.SpanTrainingArguments",
    ]
    (tmp_path / "use.py").write_text("import hf_fewshot\n" + "".join(f"reveal_type(hf_fewshot.{n})\n" for n in names))
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nfollow_imports = silent\nignore_missing_imports = True\n"
        "[mypy-transformers.*,torch.*,datasets.*,numpy.*,pyarrow.*,huggingface_hub.*,accelerate.*]\n"
        "follow_imports = skip\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "use.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
    )
    types = [line.partition("Revealed type is ")[2] for line in done.stdout.splitlines() if "Revealed" in line]
    assert len(types) == len(names), done.stdout + done.stderr
    assert [name for name, found in zip(names, types, strict=True) if found in ('"Any"', "")] == []


def test_files_stay_small(project):
    long = {
        file.name: lines
        for files in python_files(project).values()
        for file in files
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) >= 300
    }
    assert long == {}


def test_no_test_imports_from_a_conftest_or_from_another_test(project):
    imported = re.compile(r"^ *(from|import) tests\b.*\b(conftest|test_\w+)\b", re.MULTILINE)
    files = sorted((project / "tests").rglob("*.py"))
    assert [file.name for file in files if imported.search(file.read_text(encoding="utf-8"))] == []


def test_importing_is_light():
    code = (
        "import sys, hf_fewshot; "
        "print([m for m in ('torch', 'transformers', 'datasets', 'evaluate', 'numpy', 'pyarrow') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "[]\n"


def test_no_file_speaks_of_this_machine(project):
    tracked = subprocess.run(["git", "ls-files"], cwd=project, capture_output=True, text=True).stdout.split()
    for name in tracked:
        if Path(name).suffix in {".py", ".md", ".toml", ".yaml", ".txt"}:
            text = (project / name).read_text(encoding="utf-8")
            assert "/work" + "/main" not in text, name
