"""The code that the rows of a benchmark depend on: a change of it makes rows that were kept invisible."""

import hashlib
import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

from hf_fewshot.names import Names
from hf_fewshot.registry import BENCHMARKS, TASKS, resolve, unknown

OURS = "hf_fewshot"
# No row comes of them: they find things by name, and what they find is followed by itself; or show what is being done.
BESIDE = ("names", "plugins", "progress", "registration", "registry", "row_code")
PASSED_BY = {OURS, *(f"{OURS}.{name}" for name in BESIDE)}
# Of the files beside a builder, those that no row comes from: code is followed by itself, cards and numbers of papers.
NO_DATA = {".py", ".pyc", "README.md", "published.yaml"}


@cache
def code_hash(benchmark: str) -> str:
    """SHA-256 over all that decides how raw files become rows.

    That is the modules of `row_modules`, and the files beside the builder that hold words, checksums and the like.
    """
    digest = hashlib.sha256()
    modules = row_modules(benchmark)
    for name in sorted(modules):
        digest.update(name.encode() + modules[name].read_bytes())
    folder = modules[_module("benchmark", BENCHMARKS, benchmark)].parent
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in NO_DATA and path.name not in NO_DATA:
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def row_modules(benchmark: str) -> dict[str, Path]:
    """Builder, generator of sample data and task of a benchmark, and all modules that these import.

    Followed are those of this project, and those of the builder's own package; others change with their versions.
    """
    from hf_fewshot.files.imports import imported_modules

    builder = _module("benchmark", BENCHMARKS, benchmark)
    task = _module("task", TASKS, resolve(BENCHMARKS[benchmark]).TASK)
    followed = {OURS, *(module.partition(".")[0] for module in (builder, task))}
    found: dict[str, Path] = {}
    waiting = [builder, sample_module(benchmark), task]
    while waiting:
        name = waiting.pop()
        if name.partition(".")[0] not in followed or name in found or name in PASSED_BY:
            continue
        file = module_file(name)
        if file is not None:
            found[name] = file
            waiting += imported_modules(name, file)
        elif name.rpartition(".")[0] == OURS:
            waiting.append(_exporting_module(name.rpartition(".")[2]))
    return found


def sample_module(benchmark: str) -> str:
    """Where the generator of a benchmark's sample data is, if it has one."""
    package = _module("benchmark", BENCHMARKS, benchmark).rpartition(".")[0]
    return f"{package}.sample"


def module_file(name: str) -> Path | None:
    """The file of a module, which is not imported for it; None where there is none."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded is not None:
        return Path(loaded)
    package, _, leaf = name.rpartition(".")
    folder = package_folder(package)
    if folder is None:
        return None
    places = (folder / f"{leaf}.py", folder / leaf / "__init__.py")
    return next((place for place in places if place.is_file()), None)


def package_folder(name: str) -> Path | None:
    """The folder of a package, whose modules are not imported for it; None where there is none."""
    if name in sys.modules:
        places = getattr(sys.modules[name], "__path__", None)
        return Path(next(iter(places))) if places else None
    parent, _, leaf = name.rpartition(".")
    if parent not in ("", OURS):
        above = package_folder(parent)
        return above / leaf if above is not None and (above / leaf).is_dir() else None
    # Our rooms may be anywhere; to look for one imports nothing but us.
    spec = importlib.util.find_spec(name) if name else None
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places))) if places else None


def _exporting_module(name: str) -> str:
    """Where a name comes from that `from hf_fewshot import ...` offers."""
    return getattr(getattr(importlib.import_module(OURS), name, None), "__module__", OURS)


def _module(kind: str, names: Names[str], name: str) -> str:
    if name not in names:
        raise unknown(kind, name, names)
    return names[name].partition(":")[0]
