"""What commands show on terminals, and what is in a log."""

import io
import sys

import pytest

from hf_fewshot.cli import main
from hf_fewshot.cli.console import console
from hf_fewshot.cli.plain_table import plain, plain_table
from hf_fewshot.cli.stage_line import stage_line
from hf_fewshot.progress import stage
from tests.terminal import Terminal

LONG = " ".join(["word"] * 60)


def printed(monkeypatch, **environment):
    monkeypatch.delenv("COLUMNS", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    file = io.StringIO()
    table = plain_table(["a"])
    table.add_row(plain(LONG))
    console(file=file).print(table)
    return file.getvalue()


def test_tables_in_a_pipe_are_not_cut(monkeypatch):
    assert LONG in printed(monkeypatch)


def test_columns_is_the_width_of_tables(monkeypatch):
    assert max(map(len, printed(monkeypatch, COLUMNS="70").splitlines())) <= 70


def test_no_color_takes_colours_from_a_terminal(monkeypatch):
    shown = {}
    for value in ("", "1"):
        monkeypatch.setenv("NO_COLOR", value)
        monkeypatch.setenv("TERM", "xterm-256color")
        file = io.StringIO()
        console(file=file, force_terminal=True).print("x", style="red")
        shown[value] = file.getvalue()
    assert shown == {"": "\x1b[31mx\x1b[0m\n", "1": "x\n"}


def test_a_terminal_says_what_is_being_done_and_forgets_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    with stage_line(), stage("reading\nfewrel"), stage("a longer one than this"):
        pass
    shown = terminal.getvalue().split("\r\x1b[K")
    assert shown == ["", "reading\\nfewrel ...\r", "a longer one than t\r", "reading\\nfewrel ...\r", "", ""]


@pytest.mark.parametrize("training", [[], ["--training", "max_steps=2", "--training", "logging_steps=1"]])
def test_a_log_of_a_run_has_no_bars(training, encoder, tmp_path, capsys):
    arguments = ["--benchmark", "fewrel", "--split", "validation", "--n-way", "3", "--shots", "1", "--n-episodes", "3"]
    output = ["--method", "proto", "--model", str(encoder), "--output", str(tmp_path), "--sample"]
    assert main(["run", *arguments, *output, *training]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "\r" not in shown.out
    assert [line.split()[0] for line in shown.out.splitlines()] == [
        *("fewrel,", "system", "proto", "always", "one"),
    ]
