"""What the result of a run depends on beside the run itself: the user's own code and files, weights, data.

A run names a method, a format, a model; what stands behind the name can change. The hashes of it are in the record.
"""

import hashlib
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from huggingface_hub import try_to_load_from_cache

from hf_fewshot.downloads import sha256_of
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS
from hf_fewshot.experiments.data import Data, Reading
from hf_fewshot.registry import METHODS, resolve
from hf_fewshot.results.run import Run

PACKAGE = "hf_fewshot"


def named_things(run: Run) -> dict[str, str]:
    """Hashes of what stands behind the names of a run: source of its own method, files in its options, weights."""
    return {**_sources(run.method), **_files("option", run.options), **_files("training", run.training), **_weights(run)}


def changes(before: Mapping[str, Any], run: Run, data: Data) -> list[str]:
    """In words, all that is no longer as it was when a record of this run was made.

    Args:
        before: `Record.depends_on`; what it does not name was not recorded then and is not compared.
    """
    found = [
        f"{name} (was {_short(was)}, is {_short(now)})"
        for name, was, now in _pairs(before.get("files", {}), named_things(run))
        if was != now
    ]
    return found + [changed for one in before.get("data", []) if (changed := changed_reading(Reading(**one), data))]


def changed_reading(before: Reading, data: Data) -> str:
    """What is different in the data of today, in words; "" if nothing is."""
    if data.files(before.part, before.options) == before.files:
        return ""
    # Other files or newer code can hold the very same rows.
    now = data.content(before.part, before.options)
    return "" if now == before.content else f"{before.name} (was {_short(before.content)}, is {_short(now)})"


def _pairs(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*before, *now}):
        yield name, before.get(name, "not there"), now.get(name, "not there")


def _short(value: str) -> str:
    return value[:12]


def _sources(method: str) -> dict[str, str]:
    """Of a method that is not ours: the source files of its class and of what they use from the same folder."""
    if method not in METHODS or METHODS[method].startswith(f"{PACKAGE}."):
        return {}
    kind = resolve(METHODS[method])
    modules: dict[str, ModuleType] = {}
    for parent in kind.__mro__:
        if not parent.__module__.startswith((PACKAGE, "torch.", "builtins")):
            _collect(sys.modules[parent.__module__], modules)
    return {f"source {name}": sha256_of(Path(str(module.__file__))) for name, module in sorted(modules.items())}


def _collect(module: ModuleType, found: dict[str, ModuleType]) -> None:
    """A module, and those of its folder that it has objects of."""
    if module.__name__ in found or not getattr(module, "__file__", None):
        return
    found[module.__name__] = module
    folder = Path(str(module.__file__)).parent
    for value in list(vars(module).values()):
        other = value if isinstance(value, ModuleType) else inspect.getmodule(value)
        place = getattr(other, "__file__", None)
        if other is not None and place and folder in Path(place).parents:
            _collect(other, found)


def _files(where: str, options: Any, name: str = "") -> dict[str, str]:
    """The files that options name, such as a prompt format or a template of one's own."""
    if isinstance(options, Mapping):
        return {k: v for key, one in options.items() for k, v in _files(where, one, f"{name}{key}").items()}
    if isinstance(options, str) and name and _is_file(options):
        return {f"file of {where} {name}": sha256_of(Path(options))}
    return {}


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or with a NUL byte
        return False


def _weights(run: Run) -> dict[str, str]:
    """The model's files where it is a folder, its commit where it came from the Hub; embedded ones are checked."""
    model = run.model
    if model is None or model in ENCODERS or model in CAUSAL_LMS or "endpoint" in run.options:
        return {}
    folder = Path(model)
    if folder.is_dir():
        digest = hashlib.sha256()
        for path in _model_files(folder):
            digest.update(f"{path.relative_to(folder)} {sha256_of(path)}\n".encode())
        return {"model": digest.hexdigest()}
    try:
        config = try_to_load_from_cache(model, "config.json")
    except ValueError:  # no name that the Hub could have
        return {}
    return {"model": Path(config).parent.name} if isinstance(config, str) else {}


def _model_files(folder: Path) -> Sequence[Path]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "README.md")
    return [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
