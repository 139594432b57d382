import errno
import os
import stat
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hf_fewshot.cli.fault import sentence, told

MAKE_SPACE = "What is finished is kept: make space on the disk, and the same command goes on."
NO_MEMORY = "Out of memory. What is finished is kept: the same command goes on. Use smaller batches,"


def of_library(package: str, name: str, base: type[Exception] = Exception) -> type[Exception]:
    """A class as a library that need not be installed defines it."""
    return type(name, (base,), {"__module__": f"{package}.errors"})


@pytest.fixture(autouse=True)
def reports(tmp_path, monkeypatch):
    """The folder in which tracebacks are saved."""
    folder = tmp_path / "reports"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("n_way=0, but it must be at least 1."), "n_way=0, but it must be at least 1."),
        (ValueError(), "ValueError without a message. --debug shows where it comes from."),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.yaml"), "a.yaml: No such file or directory."),
        (FileNotFoundError(errno.ENOENT, "No such file", "a\nb\x1b"), r"'a\nb\x1b': No such file."),
        (FileNotFoundError(errno.ENOENT, "No such file", " "), "' ': No such file."),
        (SyntaxError("invalid syntax", ("own.py", 3, 1, "x =")), "invalid syntax (own.py, line 3)"),
        (OSError(errno.EXDEV, "Invalid link", "a", None, "b"), "a and b: Invalid link."),
        (ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), "Connection reset by peer."),
        (OSError("the server is down"), "the server is down"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), f"x: No space left on device. {MAKE_SPACE}"),
        (OverflowError("int too large to convert"), "A number is too large: int too large to convert."),
        (ModuleNotFoundError("No module named 'x'"), "No module named 'x'"),
        (EOFError("Compressed file ended"), "Compressed file ended"),
        (of_library("httpx", "ConnectError")("no route"), "no route"),
        (of_library("huggingface_hub", "RepositoryNotFoundError")("404"), "404"),
        (of_library("pyarrow", "ArrowKeyError", KeyError)("no column"), "'no column'"),
        (of_library("yaml", "ScannerError")("line 1"), "line 1"),
        (of_library("hf_fewshot", "EndpointError", RuntimeError)("6 queries failed"), "6 queries failed"),
        (Exception("data did not match any variant"), "data did not match any variant"),
        (of_library("safetensors", "Error")("No space left on device"), f"No space left on device {MAKE_SPACE}"),
    ],
)  # fmt: skip
def test_what_input_disk_and_network_cause_is_a_sentence(error, said):
    assert sentence(error) == said
    assert told(error) == said


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[enforce fail at alloc_cpu.cpp:115] DefaultCPUAllocator: can't allocate memory: 5 bytes"),
        RuntimeError("DataLoader worker (pid 7) is killed by signal: Killed."),
        of_library("torch", "OutOfMemoryError", RuntimeError)("CUDA out of memory. Tried to allocate 2 GiB"),
    ],
)
def test_memory_that_is_not_there_is_said_with_what_to_do(error):
    assert sentence(error).startswith(NO_MEMORY)


def test_nesting_that_python_gives_up_on_is_said():
    assert sentence(RecursionError("maximum recursion depth exceeded")).startswith("Something in the input is nested")


def test_the_cause_that_datasets_hides_is_said():
    error = of_library("datasets", "DatasetGenerationError")("An error occurred while generating the dataset")
    error.__cause__ = OSError(errno.EACCES, "Permission denied", "train.json")
    assert sentence(error) == "train.json: Permission denied."
    error.__cause__ = raised(KeyError("tokens"))
    assert sentence(error) is None


def raised(error: Exception, name: str = "hf_fewshot.somewhere") -> Exception:
    """The error, raised by a module with this name."""
    code = compile("def fail(error):\n    raise error", str(Path(os.sep, "somewhere", "own.py")), "exec")
    exec(code, vars(module := ModuleType(name)))
    with pytest.raises(type(error), match=r"\w") as caught:
        module.fail(error)
    error.__traceback__ = caught.tb.tb_next
    return error


def test_a_bug_says_so_and_saves_its_traceback_for_a_report(reports):
    said = told(raised(KeyError("tokens")), command="hf-fewshot list")
    (saved,) = reports.iterdir()
    assert said == (
        "this is a bug in hf_fewshot: KeyError: 'tokens'. What is finished is kept. "
        f"Please report it with the file {saved}, which holds the traceback; --debug shows it here."
    )
    content = saved.read_text()
    assert content.startswith("hf-fewshot list\nhf_fewshot ")
    assert content.endswith("KeyError: 'tokens'\n")
    assert 'own.py", line 2, in fail' in content
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600


def test_the_same_bug_of_many_runs_is_saved_once(reports):
    for _ in range(3):
        told(raised(KeyError("again")), command="hf-fewshot run")
    (saved,) = reports.iterdir()
    saved.unlink()
    assert str(saved) not in told(raised(KeyError("again")), command="hf-fewshot run")
    assert len(list(reports.iterdir())) == 1


def test_a_bug_is_told_where_nothing_can_be_saved(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", os.path.join(os.sep, "nowhere"))
    assert told(raised(KeyError("unsaved"))).endswith(
        "Please report it with what --debug shows; that could not be saved (No such file or directory)."
    )


def test_debug_adds_the_traceback():
    assert told(ValueError("wrong"), debug=True) == "wrong\n\nValueError: wrong\n"


def test_an_error_in_code_of_the_users_is_no_bug_of_ours():
    assert sentence(raised(TypeError("no vectors"), name="own_method")) == (
        f"{Path(os.sep, 'somewhere', 'own.py')}, line 2: TypeError: no vectors. "
        "This is code of your own; --debug shows the traceback."
    )


def test_neither_control_characters_nor_secrets_are_shown_or_saved(reports, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "correct horse battery")
    token = "hf_" + "a1" * 17
    shown = r"\x1b[2J <redacted> https://<redacted>@host <redacted>"
    message = f"\x1b[2J {token} https://me:pass@host correct horse battery"
    assert sentence(ValueError(message)) == shown
    assert told(raised(RuntimeError(message)), command=f"hf-fewshot push {token}").startswith(
        f"this is a bug in hf_fewshot: RuntimeError: {shown}."
    )
    (saved,) = reports.iterdir()
    assert saved.read_text().startswith("hf-fewshot push <redacted>\n")
    assert saved.read_text().endswith(f"RuntimeError: {shown}\n")


def test_long_messages_are_cut():
    assert sentence(ValueError("x" * 20_000)) == "x" * 10_000 + " ..."


def test_no_heavy_library_is_loaded_to_tell_errors_apart():
    assert not {"torch", "httpx", "pyarrow"} & set(vars(sys.modules["hf_fewshot.cli.fault"]))
