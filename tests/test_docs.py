"""Every block of the pages runs, every link inside the project leads somewhere, every card is valid.

A page runs from top to bottom in an empty folder with links to `recipes` and `examples`, as in a clone: Python blocks
in one namespace, and the lines of console blocks that begin with `$ `. What a console block shows below a command
must be in its output, where `...` stands for anything. A block with a file name behind its language becomes that file.
"""

import dataclasses
import glob
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from huggingface_hub import DatasetCard

from hf_fewshot import catalogue, registry
from hf_fewshot.cli import main
from hf_fewshot.cli.main import COMMANDS
from hf_fewshot.experiments.recipe import load_recipe
from hf_fewshot.registry import BENCHMARKS, METRICS, SYSTEMS
from hf_fewshot.results.record import Record
from hf_fewshot.results.run import Run

PROJECT = Path(__file__).resolve().parent.parent
PAGES = sorted([PROJECT / "README.md", *PROJECT.glob("docs/*.md"), *PROJECT.glob("dataset_scripts/*/README.md")])
BLOCK = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)\)")
RUN = ("python", "console")
# What is shown and not run; YAML and JSON must at least be so.
SHOWN = {"text": str, "yaml": yaml.safe_load, "json": json.loads}


class Block(NamedTuple):
    """A fenced block: its language, the name of the file it is, its text."""

    language: str
    file: str
    text: str


def blocks(page):
    return [Block(*found) for found in BLOCK.findall(page.read_text("utf-8"))]


def named(page):
    return page.relative_to(PROJECT).as_posix()


def commands(text):
    """Pairs of a command and the lines shown below it."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line)
    return found


def run_command(command, capsys, monkeypatch):
    """The output of a command; those of this project run in this process, which has everything imported."""
    words = shlex.split(command, comments=True)
    if words[0] != "hf-fewshot":
        places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": places}
        done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return done.stdout
    arguments = [name for word in words[1:] for name in (sorted(glob.glob(word)) or [word])]
    monkeypatch.setattr(sys, "argv", ["hf-fewshot", *arguments])
    capsys.readouterr()
    code = main(arguments)
    output = capsys.readouterr()
    assert code == 0, f"{command}\n{output.err}"
    return output.out


def shows(output, line):
    """Whether a line stands in the output; how wide spaces are does not matter."""
    parts = (r"\s+".join(map(re.escape, part.split())) for part in line.split("..."))
    return re.search(r".*?".join(parts), " ".join(output.split())) is not None


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """An empty folder that has what commands of the pages name, as the current folder."""
    for name in ("recipes", "examples"):
        (tmp_path / name).symlink_to(PROJECT / name, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")  # tables as wide as they like
    tables = (registry.METHODS, registry.SYSTEMS, catalogue.METHODS)
    before = [dict(table) for table in tables]
    yield tmp_path
    for table, content in zip(tables, before, strict=True):  # methods that a page has registered
        table.clear()
        table.update(content)


def test_the_pages_are_found():
    assert len(PAGES) >= 18


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=named)
def test_blocks_run_in_order(page, clone, capsys, monkeypatch):
    namespace = {"__name__": "__main__"}
    for block in blocks(page):
        assert block.language in (*RUN, *SHOWN), f"a block of {named(page)} has the language {block.language!r}"
        if block.language in SHOWN:
            SHOWN[block.language](block.text)
        if block.file:
            (clone / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.text, named(page), "exec"), namespace)
        elif block.language == "console":
            for command, shown in commands(block.text):
                output = run_command(command, capsys, monkeypatch)
                missing = [line for line in shown if not shows(output, line)]
                assert not missing, f"{command} printed\n{output}"


def test_a_line_is_found_in_an_output_whatever_the_spaces():
    output = "system   f1 %\nproto    12.50   3 runs\n"
    assert shows(output, "proto 12.50 3 runs")
    assert shows(output, "proto ... 3 runs")
    assert not shows(output, "proto 12.51")


def test_commands_are_read_with_what_is_shown_below_them():
    text = "$ hf-fewshot run \\\n      --sample\none\ntwo\n\n$ ls\n"
    assert commands(text) == [("hf-fewshot run        --sample", ["one", "two"]), ("ls", [])]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_inside_the_project_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("README.md", [*BENCHMARKS, *METRICS, *COMMANDS]),
        ("docs/benchmarks.md", [f"`{name}`" for entry in catalogue.BENCHMARKS.values() for name in entry.configs]),
        ("docs/methods.md", [f"`{name}`" for name in SYSTEMS]),
        ("docs/predictions.md", [f"`{one.name}`" for kind in (Record, Run) for one in dataclasses.fields(kind)]),
        ("docs/reproduction.md", [path.name for path in PROJECT.glob("recipes/*.yaml")]),
    ],
)
def test_a_page_names_all_there_is(page, names):
    text = (PROJECT / page).read_text("utf-8")
    assert len(names) >= 10
    assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("recipe", sorted(PROJECT.glob("recipes/*.yaml")), ids=named)
def test_the_number_of_runs_of_a_recipe_is_right(recipe):
    rows = (PROJECT / "docs" / "reproduction.md").read_text("utf-8").splitlines()
    (row,) = [row for row in rows if row.startswith(f"| [{recipe.name}]")]
    assert row.endswith(f"| {len(list(load_recipe(recipe).runs()))} |")


def test_every_page_can_be_reached_from_the_readme():
    text = (PROJECT / "README.md").read_text("utf-8")
    pages = [named(page) for page in PAGES if page.parent.name == "docs"]
    assert [page for page in pages if f"({page})" not in text] == []


def test_the_readme_is_read_in_two_minutes():
    assert len((PROJECT / "README.md").read_text("utf-8").splitlines()) < 120


@pytest.mark.parametrize("benchmark", sorted(BENCHMARKS))
def test_dataset_cards_have_the_metadata_of_the_hub(benchmark):
    card = DatasetCard.load(PROJECT / "dataset_scripts" / benchmark / "README.md")
    assert card.data.pretty_name
    assert card.data.license
    assert card.data.language in (["en"], ["zh"])
    assert "few-shot" in card.data.tags
    assert card.data.task_categories
