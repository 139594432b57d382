"""Makes our benchmarks and metrics known to `datasets` and `evaluate`, without importing either.

A library that is already loaded is extended at once; another one when it is first imported. Each extension wraps the
one function through which the library turns a name into a module, so every entry point (load_dataset,
load_dataset_builder, get_dataset_config_names; evaluate.load) knows our names, and all other names go on untouched.
"""

import importlib.abc
import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from hf_fewshot.names import nearest
from hf_fewshot.registry import BENCHMARKS, METRICS, suggestion
from hf_fewshot.row_code import code_hash, package_folder


def metric_folder(name: str) -> Path:
    """The folder of a metric."""
    ours = package_folder("hf_fewshot.metrics")
    if ours is None:
        raise ModuleNotFoundError("hf_fewshot.metrics is not installed; reinstall hf_fewshot.")
    return ours / METRICS[name]  # a path from outside stays as it is


def _with_hint(error: Exception, name: str, known: Iterable[str]) -> None:
    """Adds "did you mean" to another library's error about a name close to one of ours."""
    known = list(known)
    if nearest(name, known):
        error.add_note(f"hf_fewshot: {suggestion(name, known)}")


def extend_datasets(datasets: ModuleType) -> None:
    """Lets `datasets` find our builders by name."""
    original = datasets.load.dataset_module_factory

    @wraps(original)
    def dataset_module_factory(path: str, *args: Any, **kwargs: Any) -> Any:
        if path in BENCHMARKS:
            if kwargs.get("revision") is not None:
                raise ValueError(
                    f"revision={kwargs['revision']!r} has no effect on {path}, whose code is that of hf_fewshot. "
                    "Leave it out."
                )
            module = BENCHMARKS[path].partition(":")[0]
            return datasets.load.DatasetModule(module, code_hash(path), {"dataset_name": path})
        try:
            found = original(path, *args, **kwargs)
            kept_as = datasets.naming.camelcase_to_snakecase(path)
            if found.module_path.endswith(".cache.cache") and kept_as in BENCHMARKS:
                # Offline, `datasets` takes rows of ours that it has kept, and then fails for lack of their builder.
                raise datasets.exceptions.DatasetNotFoundError(f"Dataset {path!r} doesn't exist.")
            return found
        except Exception as error:
            _with_hint(error, path, BENCHMARKS)
            raise

    datasets.load.dataset_module_factory = dataset_module_factory
    datasets.inspect.dataset_module_factory = dataset_module_factory


def extend_evaluate(evaluate: ModuleType) -> None:
    """Lets `evaluate` find our metrics by name."""
    original = evaluate.loading.evaluation_module_factory

    @wraps(original)
    def evaluation_module_factory(path: str, *args: Any, **kwargs: Any) -> Any:
        if path in METRICS:
            path = str(metric_folder(path))
        try:
            return original(path, *args, **kwargs)
        except Exception as error:
            _with_hint(error, path, METRICS)
            raise

    evaluate.loading.evaluation_module_factory = evaluation_module_factory


Extension = Callable[[ModuleType], None]
EXTENSIONS: dict[str, Extension] = {"datasets": extend_datasets, "evaluate": extend_evaluate}


class _ExtendingLoader(importlib.abc.Loader):
    """Runs a module as its own loader would, then extends it."""

    def __init__(self, loader: importlib.abc.Loader, name: str, waiting: dict[str, Extension]) -> None:
        self.loader = loader
        self.name = name
        self.waiting = waiting

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # inspect, pkgutil and importlib.resources ask a module for its loader: leave the real one behind.
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        self.waiting.pop(self.name)(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Watches for the first import of a library we extend; leaves all other imports alone."""

    def __init__(self) -> None:
        self.waiting = dict(EXTENSIONS)
        self.asking: set[str] = set()

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        # Being asked is not being imported: some libraries only look whether another one is there.
        if name not in self.waiting or name in self.asking:
            return None
        self.asking.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.asking.discard(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _ExtendingLoader(spec.loader, name, self.waiting)
        return spec


def register() -> None:
    """Extends the libraries that are loaded, and the others when they are first imported."""
    finder = _Finder()
    for name in EXTENSIONS:
        if name in sys.modules:
            finder.waiting.pop(name)(sys.modules[name])
    if finder.waiting:
        sys.meta_path.insert(0, finder)
