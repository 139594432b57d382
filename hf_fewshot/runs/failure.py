"""Why a run ended without a record, beside what it left, until it begins again."""

from contextlib import suppress
from pathlib import Path

from hf_fewshot.files.whole_file import whole_file

FILE_NAME = "error.txt"


def note_failure(run: Path, message: str) -> None:
    """Writes down what was said of the error; where even that cannot be written, it was said anyway."""
    with suppress(OSError), whole_file(run / FILE_NAME) as unfinished:
        unfinished.write_text(message + "\n", encoding="utf-8")


def forget_failure(run: Path) -> None:
    """The run begins again, or is submitted again."""
    with suppress(OSError):
        (run / FILE_NAME).unlink(missing_ok=True)


def read_failure(run: Path) -> str | None:
    """What was said of the error that ended the run; None: nothing was."""
    try:
        return (run / FILE_NAME).read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None
