"""What is uploaded of a folder, and what is not: links lead elsewhere, and hidden files are meant for nobody."""

import os
from dataclasses import dataclass, field
from pathlib import Path

CACHE = "__pycache__"


@dataclass(frozen=True)
class Gathered:
    """The files of a folder by their path in it, and why others are left out."""

    files: dict[str, Path] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def gather(folder: Path, *, links_into: Path | None = None) -> Gathered:
    """Goes through a folder without following links.

    Args:
        folder: it may be a link itself, since it was asked for.
        links_into: a folder of our own; files in it may be linked to.
    """
    found = Gathered()
    for place, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(place) / name
            reason = _reason(path, links_into)
            within = path.relative_to(folder).as_posix()
            if reason or name == CACHE:
                if name in folders:
                    folders.remove(name)
                if reason:
                    found.left_out[within] = reason
            elif name not in folders:
                found.files[within] = path
        folders.sort()
    return found


def _reason(path: Path, links_into: Path | None) -> str | None:
    """Why a file or folder is left out; None if it is not."""
    if path.name.startswith("."):
        return "hidden"
    if path.is_symlink():
        ours = links_into is not None and path.resolve().is_relative_to(links_into.resolve())
        return None if ours and path.is_file() else "a link"
    if not (path.is_file() or path.is_dir()):
        return "neither a file nor a folder"
    return None if _is_text(path.name) else "a name that is no UTF-8"


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
