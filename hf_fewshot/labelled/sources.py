"""Where labelled rows come from: lists, tables and files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from hf_fewshot.files.raw_files import read_json, read_json_lines, shown
from hf_fewshot.labelled.conll import read_conll
from hf_fewshot.labelled.delimited import DELIMITERS, read_delimited
from hf_fewshot.labelled.given import Given, LabelledError
from hf_fewshot.labelled.hub import PREFIX, is_folder, is_hub_name, load_split
from hf_fewshot.tasks import Task

CONLL = (".conll", ".txt", ".bio", ".iob", ".iob2", ".bioes")
SUFFIXES = (*DELIMITERS, ".json", ".jsonl", ".parquet", *CONLL)
KINDS = "a .csv, .tsv, .json, .jsonl or .parquet file, a CoNLL file (.conll, .txt, .bio, .iob2), or hub:org/name"


def given(source: Any, task: Task, columns: Mapping[str, str]) -> tuple[Given, Mapping[str, str]]:
    """The rows of a source, and the columns that are still to be renamed."""
    if isinstance(source, str | Path):
        return _named(source, task, columns)
    if isinstance(source, datasets.Dataset):
        return _table("the dataset", source), columns
    if isinstance(source, datasets.DatasetDict):
        splits = ", ".join(map(str, source))
        raise LabelledError("the dataset", "one split", f"the splits {splits}", "Take one, such as data['train'].")
    if type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "to_dict"):
        return _frame(source), columns
    if isinstance(source, Sequence):
        return _listed(source, task), columns
    expected = f"a list of rows, a Dataset, a DataFrame, or the name of {KINDS}"
    raise LabelledError("the data", expected, f"a {type(source).__name__}", "Give one of these.")


def is_file(name: str) -> bool:
    """Whether a name is that of a file; else it is that of a folder or a Hub dataset, or an error."""
    if not name.startswith(PREFIX) and Path(name).expanduser().is_file():
        return True
    is_dataset = is_hub_name(name) and (name.startswith(PREFIX) or Path(name).suffix.lower() not in SUFFIXES)
    if not is_dataset and not is_folder(name):
        raise LabelledError(name, KINDS, "no file of that name", "Check the name and the folder.")
    return False


def _named(source: str | Path, task: Task, columns: Mapping[str, str]) -> tuple[Given, Mapping[str, str]]:
    name = str(source)
    return (
        _file(Path(name).expanduser(), task, columns) if is_file(name) else (_table(name, load_split(name)), columns)
    )


def _file(path: Path, task: Task, columns: Mapping[str, str]) -> tuple[Given, Mapping[str, str]]:
    suffix = path.suffix.lower()
    if suffix in CONLL:
        (column, *others) = task.class_columns
        if others or not column.is_tags:
            needed = ", ".join(name for name in task.columns if name != "id")
            expected = f"a file with the columns of task {task.name!r} ({needed})"
            raise LabelledError(str(path), expected, "one with a word per line", "Write it as .csv or .jsonl.")
        return read_conll(path, column.name, columns), {}
    readers: dict[str, Callable[[Path], Given]] = {
        **dict.fromkeys(DELIMITERS, read_delimited),
        ".json": _json,
        ".jsonl": _json_lines,
        ".parquet": _parquet,
    }
    if suffix not in readers:
        remedy = "Name the file by what it holds."
        raise LabelledError(str(path), KINDS, f"a file that ends with {suffix!r}", remedy)
    return readers[suffix](path), columns


def _json(path: Path) -> Given:
    rows = read_json(path, list)
    return _objects(str(path), rows, [f"{path}, entry {number}" for number in range(1, len(rows) + 1)])


def _json_lines(path: Path) -> Given:
    found = list(read_json_lines(path))
    return _objects(str(path), [row for _, row in found], [f"{path}, line {number}" for number, _ in found])


def _parquet(path: Path) -> Given:
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise LabelledError(str(path), "a Parquet file", shown(str(error)), "Write it again.") from error
    return _table(str(path), datasets.Dataset(table))


def _objects(name: str, rows: Sequence[Any], places: list[str]) -> Given:
    columns: dict[str, None] = {}
    for row, place in zip(rows, places, strict=True):
        if not isinstance(row, Mapping) or not all(isinstance(key, str) for key in row):
            raise LabelledError(place, "an object with the columns by name", shown(row), "Write every row alike.")
        columns |= dict.fromkeys(row)
    return Given(name, rows, places, tuple(columns))


def _table(name: str, table: datasets.Dataset) -> Given:
    names = {column: found for column, kind in table.features.items() if (found := _class_names(kind)) is not None}
    places = [f"{name}, row {number}" for number in range(len(table))]
    return Given(name, table.to_list(), places, tuple(table.column_names), names)


def _class_names(feature: Any) -> list[str] | None:
    inner = getattr(feature, "feature", feature)
    return list(inner.names) if isinstance(inner, datasets.ClassLabel) and inner.names else None


def _frame(frame: Any) -> Given:
    """Of a pandas DataFrame; lists that it keeps as arrays are lists again."""
    rows = [
        {str(name): cell.tolist() if hasattr(cell, "tolist") else cell for name, cell in row.items()}
        for row in frame.to_dict("records")
    ]
    places = [f"the table, row {number}" for number in range(len(rows))]
    return Given("the table", rows, places, tuple(map(str, frame.columns)))


def _listed(source: Sequence[Any], task: Task) -> Given:
    """Of a list of rows by name, or of pairs of a text and its label."""
    places = [f"row {number}" for number in range(len(source))]
    if not source or not isinstance(source[0], tuple | list):
        return _objects("the list", source, places)
    if "text" not in task.columns:
        needed = ", ".join(name for name in task.columns if name != "id")
        remedy = 'Write rows by name, or texts with character offsets ("text").'
        raise LabelledError(places[0], f"a row with {needed}", shown(source[0]), remedy)
    label = task.label_columns[0]
    for pair, place in zip(source, places, strict=True):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise LabelledError(place, "a pair of a text and its label", shown(pair), "Write every row alike.")
    return _objects("the list", [{"text": text, label: name} for text, name in source], places)
