"""The source of a user's own method: its module, and all modules beside it that these import, wherever they do."""

import hashlib
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.imports import imported_modules
from hf_fewshot.registry import METHODS, SYSTEMS, resolve

OURS = ("hf_fewshot", "torch")
# Of what cannot be read, nobody knows whether it is still the same.
UNREADABLE = "unreadable"
# What is installed changes with its version; a method in there brings its own package.
INSTALLED = ("site-packages", "dist-packages")


def sources(method: str) -> dict[str, str]:
    """Of a method or system that is not ours: hashes of the sources that it consists of, by the names of modules."""
    found: dict[str, str] = {}
    for reference in (entries[method].reference for entries in (METHODS, SYSTEMS) if method in entries):
        if not is_ours(reference.partition(":")[0]):
            named = resolve(reference)
            for one in inspect.getmro(named) if inspect.isclass(named) else (named,):
                if not is_ours(one.__module__):
                    _add(one, found)
    return dict(sorted(found.items()))


def source_files(method: str) -> dict[str, Path]:
    """The files of these sources by the places that imports look for; not of what is installed, or typed in."""
    files = {}
    for name in sources(method):
        module = sys.modules.get(name)
        place = getattr(module, "__file__", None) if module is not None else None
        if place is None:
            spec = importlib.util.find_spec(name) if module is None and _parent_is_there(name) else None
            place = spec.origin if spec is not None else None
        if place is None or not Path(place).is_file() or {*Path(place).parts} & {*INSTALLED}:
            continue
        path = name.replace(".", "/")
        files[f"{path}/__init__.py" if Path(place).name == "__init__.py" else f"{path}.py"] = Path(place)
    return files


def _parent_is_there(name: str) -> bool:
    parent = name.rpartition(".")[0]
    return not parent or parent in sys.modules


def is_ours(module: str) -> bool:
    """Whether a module is of this project, or of what every method stands on: torch, Python itself."""
    package = module.partition(".")[0]
    return package in OURS or package in sys.stdlib_module_names


def _add(used: Any, found: dict[str, str]) -> None:
    """A class or function, with its module; typed into a notebook, which has no file, the object alone."""
    module = sys.modules[used.__module__]
    if getattr(module, "__file__", None) is None:
        found[f"{module.__name__}.{used.__name__}"] = _source(used)
        return
    file = Path(str(module.__file__))
    depth = module.__name__.count(".") + (file.name == "__init__.py")
    _add_file(module.__name__, file, file.parents[depth], found)


def _add_file(name: str, file: Path, root: Path, found: dict[str, str]) -> None:
    """A module, and those below the same root that it imports."""
    if name in found:
        return
    module = sys.modules.get(name)
    found[name] = sha256_of(file) if module is None else _as_loaded(module, file)
    for imported in _imports(name, file):
        if root.name in INSTALLED and imported.partition(".")[0] != name.partition(".")[0]:
            continue
        place = root.joinpath(*imported.split("."))
        for candidate in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if candidate.is_file() and not is_ours(imported):
                _add_file(imported, candidate, root, found)


def _imports(name: str, file: Path) -> Iterator[str]:
    """The modules that a file may import, with the packages they are in; also names that turn out to be none."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for one in filter(None, [package, *imported_modules(name, file)]):
        parts = one.split(".")
        yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1))


def _source(used: Any) -> str:
    try:
        return hashlib.sha256(inspect.getsource(used).encode()).hexdigest()
    except (OSError, TypeError):
        return UNREADABLE


# By the identity of a module's specification, which is a new one when the module is loaded again: an edit of its file
# while the process goes on is not what is run.
_LOADED: dict[int, tuple[importlib.machinery.ModuleSpec, str]] = {}


def _as_loaded(module: ModuleType, file: Path) -> str:
    spec = module.__spec__
    if spec is None:
        return sha256_of(file)
    if id(spec) not in _LOADED:
        _LOADED[id(spec)] = spec, sha256_of(file)
    return _LOADED[id(spec)][1]
