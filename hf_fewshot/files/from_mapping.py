"""What somebody wrote as names and values becomes a dataclass, or a sentence for all that is wrong with it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_origin

from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import suggestion
from hf_fewshot.text.short_value import short

T = TypeVar("T")


def from_mapping(kind: type[T], content: Any, what: str, **given: Any) -> T:
    """Builds a dataclass; unknown and missing names and wrong types are one error. A list may stand for a tuple.

    Args:
        content: what was written.
        what: what it is, such as "The header of a.jsonl", to begin a sentence.
        given: values of fields that are not written.
    """
    known = option_types(kind, leave_out=given)
    required = [name for name in required_names(kind) if name not in given]
    if not isinstance(content, Mapping):
        raise ValueError(f"{what} must have {_listed(required)}, got {short(content)}.")
    problems = list(mapping_problems(known, required, content, what))
    if problems:
        raise ValueError("\n".join(problems))
    tuples = {name: tuple(value) for name, value in content.items() if get_origin(known[name]) is tuple}
    try:
        return kind(**{**given, **content, **tuples})
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from error


def mapping_problems(
    known: Mapping[str, Any], required: Iterable[str], content: Mapping[str, Any], what: str
) -> Iterator[str]:
    """A sentence for each unknown name, each missing one and each value of another type.

    Args:
        known: the types of values by their names, as `option_types` gives them.
        required: names that must be there.
        content: what was written.
        what: what it is, to begin a sentence.
    """
    for name in content:
        if name not in known:
            yield f"{what} has an unknown {name!r}. {suggestion(name, known)}"
    for name in required:
        if name not in content:
            yield f"{what} has no {name!r}."
    for name, value in content.items():
        if name in known:
            try:
                check_types({name: known[name]}, {name: value}, "part of it")
            except ValueError as error:
                yield f"{what}: {error}"


def required_names(kind: Any) -> list[str]:
    """The fields of a dataclass that have no default."""
    return [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
