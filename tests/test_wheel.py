"""The wheel is the product: what is in it, and the first steps with it where there is no clone."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest

import hf_fewshot

LIBRARIES = [place for place in map(Path, sys.path) if place.name in ("site-packages", "dist-packages")]
FIRST_STEPS = """
import evaluate, importlib.metadata, sys
import hf_fewshot
from datasets import load_dataset

print(hf_fewshot.__file__, importlib.metadata.version("hf_fewshot"), hf_fewshot.__version__)
print(load_dataset("fewjoint", shots=3, sample=True)["test"].num_rows)
s1 = evaluate.load("s1")
print(s1.compute(predictions=[["a", "b"], [], ["c"]], references=[["b", "c"], [], []])["s1"])
"""


def run(*command, folder, **environment):
    """What a command prints; it ends well."""
    left_out = ("PYTHONPATH", "HF_HOME", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, env=kept | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def call_backend(hook, source, target):
    """A file that the build backend makes of a source tree, as pip and build have it made."""
    code = f"import sys\nfrom setuptools import build_meta\nprint(build_meta.{hook}(sys.argv[1]))"
    return target / run(sys.executable, "-c", code, target, folder=source).splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(project, tmp_path_factory):
    """A source distribution of a copy of the checkout, so that nothing is left in it."""
    folder = tmp_path_factory.mktemp("checkout")
    left_out = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "results", "records")
    shutil.copytree(project, folder / "source", symlinks=True, ignore=left_out)
    return call_backend("build_sdist", folder / "source", folder)


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    """The wheel of what the source distribution holds."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return call_backend("build_wheel", folder / sdist.name.removesuffix(".tar.gz"), folder)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel, which finds the libraries of this one and not the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    (place,) = folder.glob("lib/python*/site-packages")
    (place / "libraries.pth").write_text("".join(f"{library}\n" for library in LIBRARIES))
    pip = (sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-deps", "--no-index", "--no-compile", wheel, folder=folder)
    return folder / "bin"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Caches that the first steps share."""
    return {"HF_HOME": str(tmp_path_factory.mktemp("home")), "COLUMNS": "160"}


def test_the_wheel_has_every_file_of_the_packages_and_nothing_else(project, wheel):
    folders = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
    expected = {
        PurePosixPath(*package.split("."), file.relative_to(project / folder).as_posix()).as_posix()
        for package, folder in folders.items()
        for file in (project / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert sorted(found ^ expected) == []
    assert {
        "hf_fewshot/py.typed",
        "hf_fewshot/report/report.css",
        "hf_fewshot/dataset_scripts/few_nerd/README.md",
        "hf_fewshot/metrics/s1/grouped_metric.py",
        "hf_fewshot/trainers/joint_trainer.py",
    } <= found


def test_the_source_distribution_has_no_tests_and_no_records(sdist):
    with tarfile.open(sdist) as archive:
        names = {PurePosixPath(name).parts[1] for name in archive.getnames() if "/" in name}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "hf_fewshot"} <= names
    assert names.isdisjoint({"tests", "docs", "benchmarks", ".github"})


def test_the_version_is_said_in_one_place(project, wheel):
    assert wheel.name == f"hf_fewshot-{hf_fewshot.__version__}-py3-none-any.whl"
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    assert "version" not in settings["project"]
    assert f"\n## {hf_fewshot.__version__}" in (project / "CHANGELOG.md").read_text("utf-8")


def test_the_first_steps_in_python(installed, home, tmp_path):
    lines = run(installed / "python", "-c", FIRST_STEPS, folder=tmp_path, **home).splitlines()
    place, *versions = lines[0].split()
    assert Path(place).is_relative_to(installed.parent)
    assert versions == [hf_fewshot.__version__] * 2
    assert lines[1] == "5"
    assert lines[2] == "0.5"  # the mean of 0.5, 1 and 0


def test_the_first_steps_on_the_command_line(installed, home, tmp_path):
    command = installed / "hf-fewshot"
    assert "hf-fewshot run" in run(command, "--help", folder=tmp_path, **home)
    assert "few_nerd" in run(command, "list", folder=tmp_path, **home)
    data = ("--config", "inter", "--n-way", "3", "--shots", "1", "--n-episodes", "3", "--sample")
    ran = run(command, "run", "--benchmark", "few_nerd", *data, "--method", "seen_words", folder=tmp_path, **home)
    assert "few_nerd/inter, 3-way 1-shot, test, n_episodes=3, sample data" in ran
    reported = run(command, "report", "results", "--output", "report.html", folder=tmp_path, **home)
    assert "1 records in report.html" in reported
    assert "seen_words" in (tmp_path / "report.html").read_text("utf-8")
