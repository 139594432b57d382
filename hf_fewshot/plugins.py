"""Packages of others that bring benchmarks, tasks, metrics, methods or systems.

A plugin is a function `register()` that calls `register_benchmark`, `register_task`, `register_metric`,
`register_method` or `register_system` of the registry. An installed package names it in its pyproject.toml, and is
found from then on:

    [project.entry-points.hf_fewshot]
    own_things = "own_things:register"

Code that is not installed is named by the environment, as modules that have a function `register`:

    HF_FEWSHOT_PLUGINS="own_things,another.module"

Plugins are called once in a process, when the registry is first asked for a name that it does not know, or for all of
them. One that fails is a warning that names it: it is no reason for others, or for the command, to fail.
"""

import importlib
import logging
import os
from collections.abc import Callable, Iterator
from functools import partial
from threading import RLock
from typing import Any

GROUP = "hf_fewshot"
PLUGINS = "HF_FEWSHOT_PLUGINS"

_LOCK = RLock()  # a plugin may ask the registry itself, in the same thread
_called: list[str] = []  # the plugins of this process, once they were looked for
_begun = False


def load_plugins() -> None:
    """Calls all plugins, the first time."""
    global _begun
    with _LOCK:
        if _begun:
            return
        _begun = True
        for name, found in _plugins():
            try:
                found()()
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever others do wrong, the rest goes on
                problem = f"{type(error).__name__}: {error}"
                logging.getLogger("hf_fewshot").warning(f"{name} could not be registered and is left out ({problem}).")
            else:
                _called.append(name)


def called() -> tuple[str, ...]:
    """What was found and has registered its things, in words."""
    load_plugins()
    return tuple(_called)


def _plugins() -> Iterator[tuple[str, Callable[[], Any]]]:
    """What each plugin is called in messages, and how its function is found."""
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        package = f" of package {point.dist.name}" if point.dist is not None else ""
        yield f"The plugin {point.name!r}{package}", point.load
    for module in filter(None, map(str.strip, os.environ.get(PLUGINS, "").split(","))):
        yield f"The module {module!r} of {PLUGINS}", partial(_register_of, module)


def _register_of(module: str) -> Callable[[], Any]:
    found = getattr(importlib.import_module(module), "register", None)
    if not callable(found):
        raise AttributeError("it has no function register()")
    return found
