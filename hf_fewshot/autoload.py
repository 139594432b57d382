"""The names of benchmarks and metrics without an import: a small hook in an environment, put there and removed."""

import importlib.metadata
import py_compile
import site
from pathlib import Path

from hf_fewshot.files.whole_file import whole_file

HOOK = Path(__file__).with_name("autoload_hook.py")
MODULE = "_hf_fewshot_autoload"
# Python runs such a line of a .pth file when it starts; the module that it names lies beside it.
LINE = f"import {MODULE}; {MODULE}.install()\n"


class AutoloadError(RuntimeError):
    """The environment cannot be changed."""


def folders() -> list[Path]:
    """The folders whose .pth files this Python reads."""
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return [Path(folder) for folder in dict.fromkeys([*site.getsitepackages(), *user])]


def installed_in() -> Path:
    """That of them in which this package is installed, editable or not."""
    for folder in folders():
        if any(importlib.metadata.distributions(name="hf_fewshot", path=[str(folder)])):
            return folder
    raise AutoloadError(
        f"hf_fewshot is not installed in this environment ({', '.join(map(str, folders()))}). Install it with pip, or "
        "begin with `import hf_fewshot`."
    )


def turn_on() -> Path:
    """Puts the hook where this package is installed; what an earlier version has put there is replaced."""
    folder = installed_in()
    contents = {f"{MODULE}.py": HOOK.read_text(encoding="utf-8"), f"{MODULE}.pth": LINE}
    try:
        for name, content in contents.items():  # the line last, since it needs the other
            with whole_file(folder / name) as unfinished:
                unfinished.write_text(content, encoding="utf-8")
        # Else whoever may not write there, or keeps no bytecode, compiles it whenever Python starts.
        py_compile.compile(str(folder / f"{MODULE}.py"))
    except OSError as error:
        raise _refused(folder, error) from error
    return folder / f"{MODULE}.pth"


def turn_off() -> list[Path]:
    """Removes the hook from wherever it is, and says what was removed."""
    removed = []
    for folder in folders():
        compiled = sorted(folder.glob(f"__pycache__/{MODULE}.*.pyc"))
        for path in (folder / f"{MODULE}.pth", folder / f"{MODULE}.py", *compiled):
            try:
                path.unlink()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                raise _refused(folder, error) from error
            removed.append(path)
    return removed


def found() -> list[Path]:
    """Where it is on."""
    return [path for folder in folders() if (path := folder / f"{MODULE}.pth").is_file()]


def is_current(line: Path) -> bool:
    """Whether the hook beside a line is that of this version."""
    hook = line.with_suffix(".py")
    return hook.is_file() and hook.read_text(encoding="utf-8", errors="replace") == HOOK.read_text(encoding="utf-8")


def _refused(folder: Path, error: OSError) -> AutoloadError:
    return AutoloadError(
        f"{folder} cannot be written to ({error.strerror or error}). Do it as whoever owns this environment, use one "
        "of your own (`python -m venv`), or begin with `import hf_fewshot`."
    )
