"""The options of systems: described for people, and read from what a run gives."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NamedTuple

from hf_fewshot.files.from_mapping import required_names
from hf_fewshot.files.option_types import check_types, describe, option_types
from hf_fewshot.registry import SYSTEMS, resolve, unknown
from hf_fewshot.systems.system import System

REQUIRED = "required"
_ARGUMENT = re.compile(r"^    (\w+): ", re.MULTILINE)


class Option(NamedTuple):
    """An option as people read of it."""

    name: str
    type: str
    default: Any
    help: str


def system_class(name: str) -> type[System]:
    """The class of the system that is registered by a name."""
    if name not in SYSTEMS:
        raise unknown("method", name, SYSTEMS)
    found = resolve(SYSTEMS[name].reference)
    if not (isinstance(found, type) and issubclass(found, System)):
        raise TypeError(f"Expected a System at {SYSTEMS[name].reference!r}, got {found!r}.")
    return found


def described_options(kind: type) -> list[Option]:
    """The options of a dataclass with their defaults and what they are."""
    types, texts = option_types(kind), help_texts(kind)
    found = []
    for one in fields(kind):
        factory: Any = one.default_factory
        default = one.default if one.default is not MISSING else REQUIRED if factory is MISSING else factory()
        text = one.metadata.get("help") or texts.get(one.name, "")
        found.append(Option(one.name, describe(types[one.name]), default, text))
    return found


def read_options(method: str, given: Mapping[str, Any]) -> Any:
    """The options of a system as what it calls `Options`.

    Those that it does not know, of another type than it takes, or that contradict each other, are refused.
    """
    kind = system_class(method).options(method)
    what = f"option of method {method!r}"
    check_types(kind, given, what)
    nested = {name: _nested(kind, name, value) for name, value in given.items()}
    missing = [name for name in required_names(kind) if name not in given]
    if missing:
        raise ValueError(f"Method {method!r} needs the {what} {missing[0]!r}. Give it.")
    return kind(**nested)


def help_texts(kind: type | Callable[..., Any]) -> dict[str, str]:
    """What the docstring of a class, or of its parents, says of each option under `Args:`."""
    found: dict[str, str] = {}
    for one in reversed(inspect.getmro(kind)) if isinstance(kind, type) else (kind,):
        _, _, arguments = inspect.cleandoc(one.__doc__ or "").partition("Args:\n")
        section = re.split(r"\n(?=\S)", arguments)[0]
        pieces = _ARGUMENT.split(section)[1:]
        found |= {name: " ".join(text.split()) for name, text in zip(pieces[::2], pieces[1::2], strict=True)}
    return found


def defaults(kind: type) -> dict[str, Any]:
    """The default values of what a class, and its parents where it passes options on, are built with."""
    found: dict[str, Any] = {}
    for parent in kind.__mro__:
        if "__init__" in vars(parent):
            parameters = inspect.signature(vars(parent)["__init__"]).parameters.values()
            own = {one.name: one.default for one in parameters if one.default is not one.empty}
            found = own | found
            if not any(one.kind == one.VAR_KEYWORD for one in parameters):
                break
    return found


def _nested(kind: type, name: str, value: Any) -> Any:
    """A mapping that stands for a dataclass, as that dataclass."""
    if not isinstance(value, Mapping):
        return value
    annotation = option_types(kind)[name]
    for one in getattr(annotation, "__args__", (annotation,)):
        if isinstance(one, type) and is_dataclass(one):
            return one(**value)
    return value
