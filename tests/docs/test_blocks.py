"""Every fenced block of the pages runs.

A page runs from top to bottom in an empty folder with links to `recipes` and `examples`, as in a clone: Python blocks
in one namespace, and the lines of console blocks that begin with `$ `. What a console block shows below a command
must be in its output, where `...` stands for anything. A block with a file name behind its language becomes that file.
Models and the endpoint that pages name are tiny stand-ins.
"""

import glob
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hf_fewshot.cli import main
from tests.docs.blocks import PAGES, PROJECT, RUN, blocks, commands, named, shows
from tests.scored_prompts import ScoredPrompts

ENDPOINT = "http://localhost:8000/v1"
LANGUAGE_MODEL = "HuggingFaceTB/SmolLM2-1.7B-Instruct"
# What is shown and not run; YAML and JSON must at least be so.
SHOWN = {"text": str, "yaml": yaml.safe_load, "json": json.loads}


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


def test_the_pages_are_found():
    assert len(PAGES) >= 18


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set")  # of torch, on machines without a GPU
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=named)
def test_blocks_run_in_order(page, clone, models, chat_server, capsys, monkeypatch):
    namespace = {"__name__": "__main__"}
    server = chat_server(lambda messages: "[]")
    server.held_to_schemas = True
    server.complete = lambda request: ScoredPrompts.of(models[LANGUAGE_MODEL])(request)
    for block in blocks(page):
        if page.name == "README.md":
            namespace = {"__name__": "__main__"}  # what is copied from the first page is copied alone
        assert block.language in (*RUN, *SHOWN), f"a block of {named(page)} has the language {block.language!r}"
        if block.language in SHOWN:
            SHOWN[block.language](block.text)
        if block.file:
            (clone / block.file).parent.mkdir(parents=True, exist_ok=True)
            (clone / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            text = block.text.replace(ENDPOINT, server.url)
            exec(compile(text, named(page), "exec"), namespace)
        elif block.language == "console":
            for command, shown in commands(block.text.replace(ENDPOINT, server.url)):
                output = run_command(command, capsys, monkeypatch)
                missing = [line for line in shown if not shows(output, line)]
                assert not missing, f"{command} printed\n{output}"


def test_blocks_of_the_readme_make_our_names_known_themselves():
    own = [block.text for block in blocks(PROJECT / "README.md") if block.language == "python"]
    assert len(own) >= 4
    assert [text for text in own if not re.search(r"^(import|from) .*\bhf_fewshot\b", text, re.MULTILINE)] == []


def test_a_line_is_found_in_an_output_whatever_the_spaces():
    output = "system   f1 %\nproto    12.50   3 runs\n"
    assert shows(output, "proto 12.50 3 runs")
    assert shows(output, "proto ... 3 runs")
    assert not shows(output, "proto 12.51")


def test_commands_are_read_with_what_is_shown_below_them():
    text = "$ hf-fewshot run \\\n      --sample\none\ntwo\n\n$ ls\n"
    assert commands(text) == [("hf-fewshot run        --sample", ["one", "two"]), ("ls", [])]
