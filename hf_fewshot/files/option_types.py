"""Checks the types of options against annotations, before anything is loaded or built with them."""

import inspect
import math
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from hf_fewshot.registry import unknown
from hf_fewshot.text.short_value import short

SEQUENCES = (list, tuple, set, frozenset, Sequence, Iterable)
NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text", type(None): "none"}
MANY = {int: "whole numbers", float: "numbers", str: "texts"}


def option_types(kind: type | Callable[..., Any], leave_out: Iterable[str] = ()) -> dict[str, Any]:
    """The options of a dataclass, class or function and their annotations; what has none may be anything.

    Those that a class passes on as `**options` are its parents'.
    """
    known: dict[str, Any] = {}
    if not isinstance(kind, type) or is_dataclass(kind):
        known = _own_types(kind, kind)[0]
    else:
        for parent in kind.__mro__:
            if "__init__" in vars(parent):
                own, passes_on = _own_types(parent, parent.__init__)  # type: ignore[misc]
                known = own | known
                if not passes_on:
                    break
    return {name: annotation for name, annotation in known.items() if name not in leave_out}


def _own_types(kind: Callable[..., Any], annotated: Any) -> tuple[dict[str, Any], bool]:
    """The named options of a callable, and whether it takes others too."""
    parameters = inspect.signature(kind).parameters
    try:
        hints = get_type_hints(annotated)
    except NameError:
        # Some name is there for type checkers only; the annotations that are no text need no looking up.
        hints = {name: one.annotation for name, one in parameters.items() if not isinstance(one.annotation, str)}
    named = {
        name: hints.get(name, Any)
        for name, one in parameters.items()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    }
    return named, any(one.kind == one.VAR_KEYWORD for one in parameters.values())


def check_types(
    kind: type | Callable[..., Any] | Mapping[str, Any], options: Mapping[str, Any], what: str = "option"
) -> None:
    """Refuses options that are unknown, or of another type than annotated; one error names all of them.

    A whole number is a number too, a list may stand for a tuple, a mapping for a dataclass with these options. Numbers
    that are written as text are refused.

    Args:
        kind: a dataclass, a class, a function, or the annotations by the names of options (see `option_types`).
        options: names and values.
        what: what they are, such as "option of method 'nnshot'", for the message.
    """
    problems = list(_problems(kind if isinstance(kind, Mapping) else option_types(kind), options, what))
    if problems:
        raise ValueError(" ".join(problems))


def _problems(known: Mapping[str, Any], options: Mapping[str, Any], what: str) -> Iterator[str]:
    """A sentence for each option that is not what it should be."""
    for name, value in options.items():
        if not known:
            yield f"There is no {what}, but got {name}={short(value)}. Leave it out."
        elif name not in known:
            yield str(unknown(what, name, known))
        elif not fits(value, known[name]):
            yield f"{name}={short(value)}, but this {what} must be {describe(known[name])}.{_hint(value, known[name])}"
        else:
            nested = _nested(known[name])
            if nested is not None and isinstance(value, Mapping):
                yield from _problems(option_types(nested), value, f"option of {name}")


def fits(value: Any, annotation: Any) -> bool:
    """Whether a value is of the annotated type."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in (Any, object, inspect.Parameter.empty) or isinstance(annotation, TypeVar):
        return True
    if origin in (Union, types.UnionType):
        return _fits_one_of(value, arguments)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in arguments)
    kind = origin or annotation
    if kind is None or kind is type(None):
        return value is None
    if not isinstance(kind, type):
        return callable(value) if kind is Callable else True
    if kind in (bool, int, float):
        return _fits_number(value, kind)
    if issubclass(kind, Enum):
        return isinstance(value, kind) or any(type(value) is type(one.value) and value == one.value for one in kind)
    if issubclass(kind, Path):
        return isinstance(value, str | Path)
    if is_dataclass(kind) and isinstance(value, Mapping):
        return True
    if kind in SEQUENCES:
        return isinstance(value, list | tuple | set | frozenset) and _fit_items(value, kind, arguments)
    if not isinstance(value, kind):
        return False
    if isinstance(value, Mapping) and len(arguments) == 2:
        return all(fits(key, arguments[0]) and fits(item, arguments[1]) for key, item in value.items())
    return True


def describe(annotation: Any) -> str:
    """A type in words."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        enums = [one for one in arguments if isinstance(one, type) and issubclass(one, Enum)]
        words = [describe(one) for one in arguments if not (enums and one is str)]
        return " or ".join(dict.fromkeys(words))
    if origin is Literal:
        return "one of " + ", ".join(map(repr, arguments))
    kind = origin or annotation
    if kind in NAMES or kind is None:
        return NAMES.get(kind, "none")
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "one of " + ", ".join(str(one.value) for one in kind)
    if isinstance(kind, type) and issubclass(kind, Path):
        return "a path"
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Mapping)):
        values = arguments[1] if len(arguments) == 2 else Any
        return "a mapping" if values is Any else f"a mapping, each value {describe(values)}"
    if kind in SEQUENCES:
        if kind is tuple and arguments and arguments[-1] is not ...:
            return f"a list of {len(arguments)}: {', '.join(map(describe, arguments))}"
        return f"a list of {MANY.get(arguments[0]) or describe(arguments[0])}" if arguments else "a list"
    return f"a {getattr(kind, '__name__', kind)}"


def _fits_one_of(value: Any, arguments: Sequence[Any]) -> bool:
    # `SchedulerType | str` means one of its names, not any text.
    enums = [one for one in arguments if isinstance(one, type) and issubclass(one, Enum)]
    return any(fits(value, one) for one in arguments if not (enums and one is str))


def _fits_number(value: Any, kind: type) -> bool:
    if kind is bool or isinstance(value, bool):
        return kind is bool and isinstance(value, bool)
    if kind is int:
        return isinstance(value, Integral)
    return isinstance(value, Integral) or (isinstance(value, Real) and math.isfinite(value))


def _fit_items(value: Any, kind: type, arguments: Sequence[Any]) -> bool:
    if kind is tuple and arguments and arguments[-1] is not ...:
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    return not arguments or all(fits(item, arguments[0]) for item in value)


def _nested(annotation: Any) -> type | None:
    """The dataclass that a mapping is written for, if there is one."""
    union = get_origin(annotation) in (Union, types.UnionType)
    for one in get_args(annotation) if union else (annotation,):
        if isinstance(one, type) and is_dataclass(one):
            return one
    return None


def _hint(value: Any, annotation: Any) -> str:
    """What to write instead, where it is likely what was meant."""
    if value is None:
        return " Give a value, or leave it out."
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if fits(1, annotation) and math.isfinite(number):
            form = "" if "." in value or "e" not in value.lower() else ", in YAML with a point as in 1.0e-4"
            return f" It is a number written as text: write it without quotes{form}."
        if value.lower() in ("true", "false") and fits(True, annotation):
            return f" Write {value.lower()} without quotes."
        if value.lower() in ("none", "null") and fits(None, annotation):
            return " Write null without quotes."
    if isinstance(value, bool) and fits("no" if not value else "yes", annotation):
        return f' YAML reads a bare no as false: write "{"yes" if value else "no"}" with quotes.'
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    if any(isinstance(item, bool) for item in items):
        return " YAML reads a bare Yes or No as true or false: put quotes around it."
    if isinstance(value, float) and value.is_integer() and fits(int(value), annotation):
        return f" Write {int(value)}."
    return ""
