"""The source of methods that are not ours, which a model or its results are worth little without."""

from collections.abc import Iterable
from pathlib import Path

from hf_fewshot.cards.own_code import OwnMethod
from hf_fewshot.registry import METHODS, SYSTEMS
from hf_fewshot.runs.own_code import is_ours, source_files
from hf_fewshot.runs.record import Record


def own_code(records: Iterable[Record]) -> tuple[list[OwnMethod], dict[str, Path], dict[str, str]]:
    """The methods of records that are not ours, the files of their source, and why other sources are not there."""
    methods: list[OwnMethod] = []
    files: dict[str, Path] = {}
    left_out: dict[str, str] = {}
    for name in dict.fromkeys(record.run.method for record in records):
        if name not in SYSTEMS:
            left_out[f"source of {name}"] = "unknown here: --import the module that registers it"
            continue
        entry = METHODS.get(name) or SYSTEMS[name]
        if is_ours(entry.reference.partition(":")[0]):
            continue
        found = source_files(name)
        if found:
            methods.append(OwnMethod(name, entry.reference, entry.tasks, name not in METHODS))
            files |= found
        else:
            left_out[f"source of {name}"] = "in an installed package, or in no file"
    return methods, files, left_out
