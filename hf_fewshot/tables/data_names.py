"""What other data in the format of a benchmark is called: by the folder that a command named, without its place."""

import shlex
from collections.abc import Iterable
from pathlib import PurePath

from hf_fewshot.runs.record import Record
from hf_fewshot.tables.plain import one_line

OPTION = "--data-dir"


def data_names(records: Iterable[Record]) -> list[str]:
    """The names of the folders that the data of records was read from, as far as their commands say."""
    found = (_named(record.command) for record in records)
    return list(dict.fromkeys(name for name in found if name))


def _named(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == OPTION or word.startswith(f"{OPTION}="):
            return one_line(PurePath(following if word == OPTION else word.partition("=")[2]).name)
    return ""
