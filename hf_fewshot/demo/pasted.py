"""Labelled examples that somebody pastes or uploads: CSV, TSV, JSON or CoNLL, read as strictly as files."""

import tempfile
from pathlib import Path
from typing import Any

from hf_fewshot.demo.limits import EXAMPLES, EXAMPLES_TEXT, require_few, require_length
from hf_fewshot.demo.shape import shape_of
from hf_fewshot.demo.sheet import write_sheet
from hf_fewshot.labelled.columns import texts_of
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.reading import read_labelled
from hf_fewshot.tasks.task import Task

NAME = "The pasted text"


def pasted_sheet(text: str, task: Task) -> str:
    """Pasted rows as the page writes examples."""
    if not text.strip():
        raise ValueError(f"Paste labelled examples first, such as:\n{pasted_example(task)}")
    require_length(text, EXAMPLES_TEXT, NAME)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / f"pasted{suffix_of(text, task)}"
        path.write_text(text, encoding="utf-8")
        return write_sheet(_rows(path, NAME, task), task)


def uploaded_sheet(path: Path, task: Task) -> str:
    """The rows of a file, whose name says what it holds."""
    return write_sheet(_rows(path, path.name, task), task)


def suffix_of(text: str, task: Task) -> str:
    """The ending that a file with this text would have."""
    start = text.lstrip()
    first = start.split("\n", 1)[0]
    if start.startswith("{"):
        return ".jsonl"
    if start.startswith("["):
        return ".json"
    columns = {cell.strip().strip('"') for cell in first.replace(";", ",").replace("\t", ",").split(",")}
    if shape_of(task).label is None and not columns & {"text", "tokens"}:
        return ".conll"
    return ".tsv" if "\t" in first and "," not in first else ".csv"


def pasted_example(task: Task) -> str:
    """What might be pasted for a task."""
    shape = shape_of(task)
    if shape.label is None:
        return "Anna B-person\nleft O\nRome B-city"
    if shape.has_marks:
        named = ", ".join(f'"{name}": {{"start": ..., "end": ...}}' for name in shape.sides)
        named = named or f'"{shape.entities}": [{{"start": ..., "end": ..., "type": ...}}]'
        return f'{{"text": "...", "{shape.label.name}": "...", {named}}}'
    return (
        f"{','.join([*texts_of(task), shape.label.name])}\nWhere is my parcel?,delivery\nI want my money back,refund"
    )


def _rows(path: Path, name: str, task: Task) -> list[dict[str, Any]]:
    try:
        rows = read_labelled(path, task.name)
    except LabelledError as error:
        place, expected, got, remedy = error.details
        if "columns=" in remedy:  # how the command line and Python rename them
            remedy = f"Write their names in the first line, such as {pasted_example(task).splitlines()[0]}"
        raise ValueError(f"{place}: expected {expected}, got {got}. {remedy}".replace(str(path), name)) from error
    except ValueError as error:
        raise ValueError(str(error).replace(str(path), name)) from error
    require_few(len(rows), EXAMPLES, "examples")
    return rows
