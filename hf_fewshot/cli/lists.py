"""Lists as they are typed: `prices=1,2` where an option takes a list."""

from collections.abc import Mapping
from typing import Any

from hf_fewshot.files.option_types import fits
from hf_fewshot.files.strict_json import strict_json


def with_lists(given: Mapping[str, Any], types: Mapping[str, Any]) -> dict[str, Any]:
    """Options, those as lists that can be nothing else: what was typed fits the type only if commas part it.

    Args:
        given: values that were typed, as `key_value` reads them.
        types: annotations of options by their names.
    """
    return {name: _listed(value, types[name]) if name in types else value for name, value in given.items()}


def _listed(value: Any, annotation: Any) -> Any:
    if not isinstance(value, str | int | float) or fits(value, annotation):
        return value
    words = [one.strip() for one in str(value).split(",")]
    for items in ([_read(one) for one in words], words):
        if fits(items, annotation):
            return items
    return value


def _read(word: str) -> Any:
    try:
        return strict_json(word)
    except ValueError:
        return word
