"""Values of labelled rows: words, labels and tags, and cells of text that stand for lists and objects."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from hf_fewshot.files.raw_files import shown
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.labelled.given import LabelledError


def text_of(value: Any, name: str, place: str) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise LabelledError(place, f"text in {name!r}", shown(value), "Write the text, or leave the row out.")
    return value


def class_name(value: Any, names: list[str] | None, what: str, place: str) -> str:
    """The name of a class: text, or a number; of a column of numbers with names, the name."""
    if names is not None:
        if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) < len(names):
            expected = f"a number of a class in {what!r}, from 0 to {len(names) - 1}"
            raise LabelledError(place, expected, shown(value), "Label the row, or leave it out.")
        return names[int(value)]
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    if not isinstance(value, str) or not value.strip():
        raise LabelledError(place, f"a label in {what!r}", shown(value), "Label the row, or leave it out.")
    return value


def words_of(value: Any, name: str, place: str) -> list[str]:
    """Words that are listed, or a text that is split at white space."""
    words = value.split() if isinstance(value, str) else value
    if not _is_list(words) or not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise LabelledError(place, f"{name} as a list of words", shown(value), "Write the words, none of them empty.")
    return list(words)


def tags_of(value: Any, names: list[str] | None, name: str, words: Sequence[str], place: str) -> list[str]:
    """One tag for each word."""
    tags = value.split() if isinstance(value, str) else value
    if not _is_list(tags):
        raise LabelledError(place, f"{name} as a list of tags", shown(value), "Write one for each word.")
    if names is not None:
        tags = [class_name(tag, names, name, place) for tag in tags]
    if not all(isinstance(tag, str) and tag.strip() for tag in tags):
        remedy = "Write tags with their names, such as O or B-city."
        raise LabelledError(place, f"{name} as a list of texts", shown(value), remedy)
    if len(tags) != len(words):
        got = f"{len(tags)} {name} for {len(words)} words: {shown(words)}"
        raise LabelledError(place, f"a tag for each word in {name}", got, "Write O for words outside.")
    return list(tags)


def identifier_of(value: Any, place: str) -> str:
    """An id as text."""
    if isinstance(value, bool) or not isinstance(value, str | Integral) or not str(value).strip():
        remedy = "Give every row an id, or name the column otherwise to number the rows."
        raise LabelledError(place, "id as text or a number", shown(value), remedy)
    return str(value)


def parsed_cell(cell: Any, name: str, place: str) -> Any:
    """What a cell of text stands for where a list or an object is needed: JSON, or words that spaces part."""
    if not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        return strict_json(cell)
    except ValueError as error:
        if not cell.lstrip().startswith(('["', "['", "[{", "{")):
            return cell  # a bracket that is a word
        remedy = 'Write lists and objects with double quotes, such as ["a", "b"].'
        raise LabelledError(place, f"{name} in JSON", f"{shown(cell)} ({error})", remedy) from error


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | Mapping)
