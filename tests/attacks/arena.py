"""Where attacks take place: commands of the command line in this process, watched."""

import contextlib
import io
import os
import re
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from hf_fewshot.cli.main import main
from tests.attacks.verdict import Call

TIME_LIMIT = 60.0
BUG_FILE = re.compile(r"/\S*hf-fewshot-bug-\S+?\.txt")
OUR_LINE = re.compile(r'^ *File ".*/(hf_fewshot|dataset_scripts|metrics|trainers)/(?!.*site-packages)')
ERROR_LINE = re.compile(r"^[\w.]+(Error|Exception|Exit|Warning)\b")
ADDRESS_SPACE = 6 << 30  # on top of what the process has: ends an allocation that would take the machine down


class TimeLimitError(BaseException):
    """The command took too long; no handler of ordinary errors may catch it."""


class Watch:
    """Limits time and memory of a block, keeps what it raised, and measures its peak of memory."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.raised = ""
        self.code: int | None = None
        self.timed_out = False
        self.peak = 0

    def __enter__(self) -> Self:
        self._limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (status("VmSize") + ADDRESS_SPACE, self._limits[1]))
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        self._before = status("VmRSS")
        self._started = time.monotonic()
        self._handler = signal.signal(signal.SIGALRM, self._end)
        self._timer = signal.setitimer(signal.ITIMER_REAL, self.seconds)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler)
        if self._timer[0]:  # that of the test goes on
            signal.setitimer(signal.ITIMER_REAL, max(0.1, self._timer[0] - (time.monotonic() - self._started)))
        resource.setrlimit(resource.RLIMIT_AS, self._limits)
        self.peak = max(0, status("VmHWM") - self._before)
        if isinstance(error, SystemExit):
            self.code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        elif isinstance(error, TimeLimitError):
            self.timed_out = True
        elif error is not None:
            self.raised = "\n".join(described(error))
        return True

    def _end(self, number: int, frame: FrameType | None) -> None:
        # Once is not enough where a library swallows it.
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        self.timed_out = True
        raise TimeLimitError


def described(error: BaseException | None) -> Iterator[str]:
    """An error and its causes: the last of our lines that each went through, its type and message."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "site-packages" not in frame.filename and "attacks" not in frame.filename]
        place = (ours or list(frames) or [None])[-1]
        where = f'File "{place.filename}", line {place.lineno}, in {place.name}' if place else "nowhere"
        yield f"{type(error).__name__}: {str(error)[:500]} ({where})"
        error = error.__cause__ or error.__context__


def saved_bug(said: str) -> str:
    """The end of the traceback that a command says it has saved: its last line of ours, its error."""
    saved = BUG_FILE.search(said)
    if saved is None:
        return ""
    text = Path(saved.group()).read_text(encoding="utf-8", errors="replace")
    ours = [line.strip() for line in text.splitlines() if OUR_LINE.search(line)]
    error = [line for line in text.splitlines() if ERROR_LINE.match(line)]
    return f"{(error or [''])[-1]} ({(ours or ['nowhere'])[-1]})"


def status(name: str) -> int:
    """A size of this process, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{name}:"))


class Arena:
    """A folder for inputs, one for outputs, and one that nothing may be written to."""

    def __init__(self, folder: Path, *, empty: bool = True) -> None:
        self.folder = folder.resolve()
        self.kept = self.folder / "kept"
        self.inputs = self.folder / "inputs"
        self.outputs = self.folder / "outputs"
        self.outside = self.folder / "outside"
        self.kept.mkdir(parents=True, exist_ok=True)
        if empty:
            self.clear()

    def clear(self) -> None:
        """Empties all folders but that of what attackers have prepared."""
        for folder in (self.inputs, self.outputs, self.outside):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def call(self, *arguments: str | Path, seconds: float = TIME_LIMIT) -> Call:
        """Runs a command from the folder of outputs."""
        words = [str(argument) for argument in arguments]
        with captured() as (output, errors), contextlib.chdir(self.outputs), Watch(seconds) as watch:
            watch.code = main(words)
        said = text_of(errors)
        return Call(
            command=f"hf-fewshot {words}",
            code=watch.code,
            output=text_of(output),
            errors=said,
            raised=watch.raised or saved_bug(said),
            timed_out=watch.timed_out,
            peak=watch.peak,
        )

    def attempt(self, what: str, function: Any, *arguments: Any, seconds: float = TIME_LIMIT) -> tuple[Call, Any]:
        """Calls a function of the library; ValueError and OSError with a message are sentences."""
        result = None
        with captured() as (output, errors), Watch(seconds) as watch:
            try:
                result = function(*arguments)
                watch.code = 0
            except (ValueError, OSError) as error:
                watch.code = 2
                errors.write(f"hf-fewshot: {error}\n")
        raised, timed_out = watch.raised, watch.timed_out
        call = Call(what, watch.code, text_of(output), text_of(errors), raised, timed_out, watch.peak)
        return call, result

    def escaped(self) -> list[str]:
        """What was written where nothing may be."""
        return sorted(path.name for path in self.outside.rglob("*"))


@contextlib.contextmanager
def captured() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard output and errors, as strict about characters as those of a terminal."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict")
    errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    with tempfile.TemporaryFile() as behind:
        # Libraries in other languages write past Python.
        with descriptors_to(behind.fileno()), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            yield output, errors
        behind.seek(0)
        errors.write(behind.read().decode("utf-8", "replace"))


@contextlib.contextmanager
def descriptors_to(target: int) -> Iterator[None]:
    """What is written to the descriptors of standard output and errors goes to another one for a while."""
    saved = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    try:
        for descriptor in saved:
            os.dup2(target, descriptor)
        yield
    finally:
        for descriptor, copy in saved.items():
            os.dup2(copy, descriptor)
            os.close(copy)


def text_of(stream: io.TextIOWrapper) -> str:
    """What was written to a captured stream."""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]


@contextlib.contextmanager
def environment(**values: str | None) -> Iterator[None]:
    """Environment variables for a while; None takes one away."""
    before = {name: os.environ.get(name) for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
