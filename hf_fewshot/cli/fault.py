"""What is said of an error: a sentence where a user's input, file, disk, network or server caused it, else a bug."""

import errno
import os
import platform
import re
import sys
import sysconfig
import tempfile
import traceback
from collections.abc import Callable

import hf_fewshot
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

MAX_LENGTH = 10_000
# Errors of these classes are about input.
EXPECTED = (ValueError, OSError, ImportError, SyntaxError, MemoryError, RecursionError, OverflowError, EOFError)
# So are those that these define, and we ourselves. They are known by name: importing them takes seconds.
PACKAGES = frozenset((
    "hf_fewshot", "datasets", "filelock", "h11", "http", "httpcore", "httpx", "httpx2", "huggingface_hub",
    "lzma", "_lzma", "pyarrow", "safetensors", "tarfile", "urllib3", "yaml", "zipfile", "zlib",
))  # fmt: skip
# These say only that something went wrong; what it was is their cause.
WRAPPERS = frozenset({"DatasetGenerationError", "DatasetGenerationCastError"})
# What torch and safetensors say, in errors that could be about anything.
NO_MEMORY = (
    "out of memory", "can't allocate memory", "cannot allocate memory", "not enough memory", "bad_alloc",
    "killed by signal: killed", "process pool was terminated abruptly",
)  # fmt: skip
NO_SPACE = ("no space left on device", "disk quota exceeded", "pytorchstreamwriter failed")
OUT_OF_MEMORY = (
    "Out of memory. What is finished is kept: the same command goes on. Use smaller batches, fewer episodes, shorter "
    "texts or a smaller model, or free some memory."
)
MAKE_SPACE = "What is finished is kept: make space on the disk, and the same command goes on."
SECRET = re.compile(r"(TOKEN|KEY|SECRET|PASSWORD)$")  # names of environment variables

_SAVED: dict[str, str] = {}  # tracebacks of this process, and the names of their files


def told(error: BaseException, words: Callable[[str], str] = str, *, command: str = "", debug: bool = False) -> str:
    """What is printed of an error: a sentence, or that it is a bug, and where its traceback was saved.

    Args:
        words: says a sentence in the words of the command (see `words.command_words`).
        command: the command line, for the file with the traceback.
        debug: add the traceback.
    """
    trace = _safe("".join(traceback.format_exception(error)))
    said = sentence(error)
    if said is None:
        kind = _safe(_shortened(_kind(error)))
        report = _how_to_report(f"{_safe(command)}\n{_surroundings()}\n\n{trace}")
        said = f"this is a bug in hf_fewshot: {kind}. What is finished is kept. {report}"
    else:
        said = words(said)
    return f"{said}\n\n{trace}" if debug else said


def sentence(error: BaseException) -> str | None:
    """What a user reads of an error that input, files, disk, network or servers caused; None: it is a bug."""
    found = _sentence(error)
    return None if found is None else _safe(_shortened(found))


def _sentence(error: BaseException) -> str | None:
    if type(error).__name__ in WRAPPERS and error.__cause__ is not None:
        return _sentence(error.__cause__)
    said = str(error).strip()
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _says(said, NO_MEMORY)):
        return OUT_OF_MEMORY
    if isinstance(error, RecursionError):
        return "Something in the input is nested too deeply to be read. Write it with fewer brackets in each other."
    if isinstance(error, OSError) and error.errno is not None and error.strerror:
        names = " and ".join(_quoted(str(one)) for one in (error.filename, error.filename2) if one is not None)
        what = f"{names}: {error.strerror}." if names else f"{error.strerror}."
        return f"{what} {MAKE_SPACE}" if error.errno in (errno.ENOSPC, errno.EDQUOT) else what
    if _says(said, NO_SPACE):
        return f"{said} {MAKE_SPACE}"
    if not _is_expected(error):
        return _of_own_code(error)
    if isinstance(error, OverflowError):
        return f"A number is too large: {said}."
    return said or f"{type(error).__name__} without a message. --debug shows where it comes from."


def _quoted(name: str) -> str:
    """A name in which it can be seen where it begins and ends."""
    return f"'{visible(name, keep='')}'" if name.split() != [name] else visible(name)


def _says(text: str, words: tuple[str, ...]) -> bool:
    return any(one in text.lower() for one in words)


def _is_expected(error: BaseException) -> bool:
    packages = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    # Libraries in Rust, such as tokenizers, raise Exception itself; hardly anybody does in Python.
    return isinstance(error, EXPECTED) or bool(packages & PACKAGES) or type(error) is Exception


def _of_own_code(error: BaseException) -> str | None:
    """The sentence for an error that went through code of the user's, such as a method registered with --import."""
    own = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] != "hf_fewshot"
        and not _is_library(frame.f_code.co_filename)
    ]
    return f"{own[-1]}: {_kind(error)}. This is code of your own; --debug shows the traceback." if own else None


def _is_library(file: str) -> bool:
    places = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), "<")
    return file.startswith(places) or "site-packages" in file or "dist-packages" in file


def _kind(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _how_to_report(content: str) -> str:
    try:
        path = _saved(content)
    except OSError as error:
        return f"Please report it with what --debug shows; that could not be saved ({error.strerror})."
    return f"Please report it with the file {path}, which holds the traceback; --debug shows it here."


def _saved(content: str) -> str:
    """The name of a file with this content that others cannot read; one for all runs that fail in the same way."""
    if content not in _SAVED or not os.path.exists(_SAVED[content]):
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="hf-fewshot-bug-", suffix=".txt", delete=False
        ) as file:
            file.write(content)
        _SAVED[content] = file.name
    return _SAVED[content]


def _surroundings() -> str:
    return f"hf_fewshot {hf_fewshot.__version__}, Python {platform.python_version()}, {sys.platform}"


def _safe(text: str) -> str:
    secrets = [value for name, value in os.environ.items() if SECRET.search(name) and len(value) >= 8]
    return visible(redacted(text, *secrets), keep="\n\t")


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]} ..."
