"""Commands in indented blocks need data, models or machines that tests lack: they are read, and plans are made."""

import glob
import shlex

import pytest

from hf_fewshot.cli.main import main, parser
from hf_fewshot.cli.run_command import planned
from tests.docs.blocks import PAGES, PROJECT, indented_lines, named

OURS = ("hf-fewshot", "-m hf_fewshot.cli")


def words_of(line):
    """What stands behind `hf-fewshot` or `-m hf_fewshot.cli` in a line; None where there is neither."""
    for name in OURS:
        before, found, rest = line.partition(f"{name} ")
        if found and (name != "hf-fewshot" or not before.strip()):
            return shlex.split(rest, comments=True)
    return None


# The page of results has the commands of its records, of which some are of earlier commits.
LINES = [(named(page), line) for page in PAGES if page.name != "results.md" for line in indented_lines(page)]
COMMANDS = [(page, line) for page, line in LINES if words_of(line) is not None]
SCRIPTS = [(page, line) for page, line in LINES if line.startswith("python ")]


def test_commands_are_found():
    assert len(COMMANDS) >= 12
    assert len(SCRIPTS) >= 5


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{page}: {line[:60]}" for page, line in COMMANDS])
def test_a_command_is_understood_and_what_it_would_run_is_planned(page, line, clone, capsys):
    words = [name for word in words_of(line) for name in (sorted(glob.glob(word)) or [word])]
    if "$SLURM_ARRAY_TASK_ID" in words:
        words[words.index("$SLURM_ARRAY_TASK_ID")] = "0"
    options = parser().parse_args(words)
    if "--data-dir" in words and words[0] == "run":
        assert planned(options)  # the folder is not here
    elif words[0] == "run":
        assert main([*words, "--dry-run"]) == 0, capsys.readouterr().err
        assert " missing: no estimate yet." in capsys.readouterr().out
    else:
        assert options.run is not None


@pytest.mark.parametrize(("page", "line"), SCRIPTS, ids=[line for _, line in SCRIPTS])
def test_a_script_is_there_and_knows_its_options(page, line):
    _, script, *words = line.split()
    text = (PROJECT / script).read_text("utf-8")
    assert [word for word in words if word.startswith("--") and f'"{word}"' not in text] == []
