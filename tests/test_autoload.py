"""The names of benchmarks and metrics without an import, in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
import venv
import warnings
from pathlib import Path

import pytest

from hf_fewshot import autoload, autoload_hook
from hf_fewshot.cli.main import main
from hf_fewshot.registration import EXTENSIONS

NAMES = "import datasets; print(datasets.get_dataset_config_names('few_nerd'))"
METRIC = "import evaluate; print(evaluate.load('s1').name)"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment with an editable install of this package, which shares all others with ours."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (packages / "ours.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    (packages / "hf_fewshot-0.0.dist-info").mkdir()
    (packages / "hf_fewshot-0.0.dist-info" / "METADATA").write_text("Name: hf_fewshot\nVersion: 0.0\n")
    return folder, packages


def python(environment, *arguments, check=True):
    folder, _ = environment
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [folder / "bin" / "python", *arguments], env=variables, capture_output=True, text=True, cwd=folder
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def test_names_are_known_without_an_import_while_it_is_on_and_it_leaves_nothing(environment):
    _, packages = environment
    before = sorted(path.relative_to(packages) for path in packages.rglob("*"))
    command = ("-m", "hf_fewshot.cli", "autoload")
    assert python(environment, *command, "status") == "autoload is off\n"
    said = python(environment, *command, "on")
    assert said == f"autoload is on: {packages / '_hf_fewshot_autoload.pth'}\n"
    assert python(environment, "-c", NAMES) == "['inter', 'intra', 'supervised']\n"
    # evaluate imports datasets while it is imported itself.
    assert python(environment, "-c", METRIC) == "s1\n"
    assert python(environment, "-c", f"import hf_fewshot; {NAMES}") == "['inter', 'intra', 'supervised']\n"
    assert python(environment, *command, "status") == said
    assert python(environment, "-c", "import sys; print('hf_fewshot' in sys.modules)") == "False\n"
    assert python(environment, *command, "off").startswith("autoload is off\nremoved ")
    assert sorted(path.relative_to(packages) for path in packages.rglob("*") if path.name != "__pycache__") == [
        path for path in before if path.name != "__pycache__"
    ]
    assert python(environment, *command, "off") == "autoload is off\n"


def test_the_hook_imports_nothing(tmp_path):
    (tmp_path / "_hf_fewshot_autoload.py").write_bytes(autoload.HOOK.read_bytes())
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); before = set(sys.modules)\n"
        f"{autoload.LINE}print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout == "['_hf_fewshot_autoload']\n", done.stderr


def test_it_waits_for_the_libraries_that_are_extended():
    assert set(autoload_hook.LIBRARIES) == set(EXTENSIONS)
    assert autoload_hook.Finder().find_spec("json") is None


@pytest.fixture
def finder(monkeypatch):
    """A hook that waits, in a copy of the list of finders."""
    monkeypatch.setattr(sys, "meta_path", [autoload_hook.Finder(), *sys.meta_path])
    return sys.meta_path[0]


def test_a_package_that_was_removed_does_not_keep_others_from_being_imported(finder, monkeypatch):
    monkeypatch.setitem(sys.modules, "hf_fewshot", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: f"the one of {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert finder.find_spec("datasets") == "the one of datasets"
    assert finder not in sys.meta_path


def test_a_package_that_is_broken_is_a_warning(finder, monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            raise RuntimeError(f"{name} is broken")

    monkeypatch.delitem(sys.modules, "hf_fewshot")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path[:1], Broken(), *sys.meta_path[1:]])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: f"the one of {name}")
    with pytest.warns(UserWarning, match=r"^hf_fewshot could not be loaded \(RuntimeError: hf_fewshot is broken\)\."):
        assert finder.find_spec("evaluate") == "the one of evaluate"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of packages in which this one is installed."""
    (tmp_path / "hf_fewshot-0.0.dist-info").mkdir()
    (tmp_path / "hf_fewshot-0.0.dist-info" / "METADATA").write_text("Name: hf-fewshot\nVersion: 0.0\n")
    monkeypatch.setattr(autoload, "folders", lambda: [tmp_path / "other", tmp_path])
    return tmp_path


def test_a_hook_of_another_version_is_named_and_replaced(folder, capsys):
    (folder / "_hf_fewshot_autoload.py").write_text("old")
    (folder / "_hf_fewshot_autoload.pth").write_text("old")
    assert main(["autoload", "status"]) == 0
    assert capsys.readouterr().out.endswith("(of another version: hf-fewshot autoload on replaces it)\n")
    assert main(["autoload", "on"]) == 0
    assert (folder / "_hf_fewshot_autoload.pth").read_text() == autoload.LINE
    assert autoload.is_current(folder / "_hf_fewshot_autoload.pth")


def test_an_environment_that_may_not_be_written_to_is_a_sentence(folder, monkeypatch, capsys):
    def refused(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(autoload, "whole_file", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    for what in ("on", "off"):
        assert main(["autoload", what]) == 1
        assert f"{folder} cannot be written to (Permission denied). Do it as" in capsys.readouterr().err.replace(
            "/other", ""
        )


def test_a_package_that_is_not_installed_is_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(autoload, "folders", lambda: [tmp_path])
    assert main(["autoload", "on"]) == 1
    assert f"hf_fewshot is not installed in this environment ({tmp_path})." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
