import io
import os
import subprocess
import sys

import pytest

from hf_fewshot.cli import list_command, main


def raising(error: BaseException):
    def run(options):
        raise error

    return run


@pytest.fixture
def fail(monkeypatch):
    """Makes `hf-fewshot list` raise an error; the exit code."""

    def ends_with(error: BaseException, *arguments: str) -> int:
        monkeypatch.setattr(list_command, "run", raising(error))
        return main(["list", *arguments])

    return ends_with


def test_what_a_user_can_cause_ends_with_a_sentence_and_code_2(fail, capsys):
    assert fail(ValueError("shots=0")) == 2
    assert capsys.readouterr().err == "hf-fewshot: shots=0\n"


def test_problems_found_end_with_code_1(fail, capsys):
    from hf_fewshot.cli.main import CommandError

    assert fail(CommandError("2 of 3 runs failed: \x1b[2J")) == 1
    assert capsys.readouterr().err == "hf-fewshot: 2 of 3 runs failed: \\x1b[2J\n"


def test_a_bug_ends_with_code_3_and_no_traceback(fail, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("hf_fewshot.cli.fault._is_library", lambda file: True)  # this test is not the user's code
    assert fail(AttributeError("no such thing")) == 3
    said = capsys.readouterr().err
    assert said.startswith("hf-fewshot: this is a bug in hf_fewshot: AttributeError: no such thing. ")
    assert "Traceback" not in said
    assert "in raising" not in said


@pytest.mark.parametrize("arguments", [["--debug", "list"], ["list", "--debug"]])
def test_debug_before_or_after_the_command_shows_the_traceback(arguments, capsys, monkeypatch):
    monkeypatch.setattr(list_command, "run", raising(ValueError("shots=0")))
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("hf-fewshot: shots=0\n\nTraceback (most recent call last):\n")
    assert said.endswith("ValueError: shots=0\n\n")


def test_ctrl_c_is_no_error(fail, capsys):
    assert fail(KeyboardInterrupt()) == 130
    assert "the same command goes on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "proto", "\x1b[2J"], r"unrecognized arguments: \x1b[2J"),
        (["list", "proto", "https://me:pass@host"], "unrecognized arguments: https://<redacted>@host"),
        (["show", "\udcff"], r"the argument '\udcff' is no text in UTF-8"),
        (["show", "fewrel", "-o", f"n_way={'[' * 5000}"], "argument -o/--option: n_way: it is nested"),
    ],
)
def test_what_is_typed_is_quoted_safely(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    said = capsys.readouterr().err
    assert message in said
    assert "\x1b" not in said


def test_output_that_does_not_fit_on_the_disk_is_an_error(capsys, monkeypatch):
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert main(["list", "--json"]) == 2
    assert capsys.readouterr().err.startswith("hf-fewshot: No space left on device. What is finished is kept")


def test_a_reader_that_goes_away_is_no_reason_to_complain():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "hf_fewshot.cli", "list", "--json"]
    ended = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (1, b"")
