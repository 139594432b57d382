"""Labelled data of one's own as rows of a task."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.labelled.columns import ENTITIES, Columns, texts_of
from hf_fewshot.labelled.given import Given, LabelledError
from hf_fewshot.labelled.offsets import words_and_entities
from hf_fewshot.labelled.relation_rows import entities_in_text, entities_in_words
from hf_fewshot.labelled.schemes import IO, bio_tags, scheme_of_tags, spans_of
from hf_fewshot.labelled.sources import given
from hf_fewshot.labelled.values import class_name, identifier_of, parsed_cell, tags_of, text_of, words_of
from hf_fewshot.registry import TASKS, suggestion
from hf_fewshot.tasks import Task, task_of
from hf_fewshot.tasks.relation import SIDES

Row = dict[str, Any]
# Columns whose cells are lists or objects.
STRUCTURED = ("tokens", *ENTITIES, *ENTITIES.values(), *SIDES)
# What a benchmark says of an example beside its labels.
OPTIONAL = ("domain",)


def read_labelled(source: Any, task: str, columns: Mapping[str, str] | None = None) -> list[Row]:
    """Labelled examples as rows with the columns of a task; whatever cannot be read is an error that says where.

    Args:
        source: a list of rows by name, a list of (text, label) pairs, a `Dataset`, a pandas `DataFrame`, or the name
            of a file: .csv, .tsv, .json (a list), .jsonl, .parquet, or one with a word and its tag per line (.conll,
            .txt, .bio, .iob2); or `hub:org/name`, `hub:org/name:split`, `hub:org/name:config:split`, or a folder as
            `datasets` reads it.
        task: such as "classification", "tagging", "relation", "joint".
        columns: names of the columns in the source that differ from the task's, such as `{"label": "category"}`; of
            files with a word per line their numbers, from 1.

    A row of a task with words has `tokens` and tags (IO, BIO, BIOES or BILOU), or `text` and `entities` (`slots`) with
    character offsets; of a relation, `head` and `tail` have `start` and `end`: words of `tokens`, characters of
    `text`. Tags come out as types alone where they had no more, else with B- and I-. Missing ids are positions.
    """
    rows = labelled_rows(source, task, columns or {})
    if not rows:
        name = str(source) if isinstance(source, str | Path) else "the data"
        raise LabelledError(name, "labelled rows", "none", "Give at least one.")
    return rows


def labelled_rows(source: Any, task: str, columns: Mapping[str, str], prefix: str = "") -> list[Row]:
    """The same, with what missing ids begin with; there may be none."""
    kind = _readable(task)
    found, renamed = given(source, kind, columns)
    if not found.rows:
        return []
    held = Columns.of(kind, found, renamed)
    rows = [_row(kind, found, held, number, place, f"{prefix}{number}") for number, place in enumerate(found.places)]
    _require_unique([row["id"] for row in rows], found.places)
    for column in kind.class_columns:
        if not column.is_tags:
            _refuse_twins((row[column.name] for row in rows), found, column.name)
        elif held.is_tagged:
            _rewrite_tags(rows, column.name, found, alone=len(kind.class_columns) == 1)
    return rows


def _readable(task: str) -> Task:
    known = [name for name in TASKS if task_of(name).class_columns]
    if task not in known:
        raise ValueError(f"Unknown task {task!r} of labelled examples. {suggestion(task, known)}")
    return task_of(task)


def _row(task: Task, found: Given, held: Columns, number: int, place: str, identifier: str) -> Row:
    """A row in the columns of the task; its tags are as they were given."""
    values: Row = {}
    for name, own in held.names.items():
        if own not in found.rows[number]:
            if name in ("id", *OPTIONAL):
                continue
            raise LabelledError(place, f"a row with {own!r}", f"one with {', '.join(found.rows[number])}", "Add it.")
        value = found.rows[number][own]
        values[name] = parsed_cell(value, name, place) if found.is_text and name in STRUCTURED else value
    row: Row = {"id": identifier_of(values["id"], place) if "id" in values else identifier}
    labels = [column.name for column in task.class_columns if not column.is_tags]
    for name in labels:
        own = held.names[name]
        row[name] = class_name(values[name], found.class_names.get(own), own, place)
    if "tokens" in task.columns:
        row |= _sentence(task, found, held, values, place)
    else:
        row |= {name: text_of(values[name], held.names[name], place) for name in texts_of(task)}
    row |= {name: str(values.get(name) or "") for name in OPTIONAL if name in task.columns}
    if "original_relation" in task.columns:
        row["original_relation"] = values.get("original_relation") or row[labels[0]]
    return {name: row[name] for name in task.columns}


def _sentence(task: Task, found: Given, held: Columns, values: Row, place: str) -> Row:
    """Words, and tags or entities of a row."""
    tagged = [column.name for column in task.class_columns if column.is_tags]
    sides = {name: values[name] for name in SIDES if name in task.columns}
    given_words = values[held.words]
    in_characters = held.words == "text" and isinstance(given_words, str) and not held.is_tagged
    if not in_characters:
        name = held.names[held.words]
        tokens = words_of(given_words, name, place)
        if tagged and not held.is_tagged:
            remedy = f"Give the text itself, or tags instead of {ENTITIES[tagged[0]]}."
            raise LabelledError(place, f"{name} as text, whose characters are counted", "a list of words", remedy)
        names = {tag: found.class_names.get(held.names[tag]) for tag in tagged}
        tags = {tag: tags_of(values[tag], names[tag], held.names[tag], tokens, place) for tag in tagged}
        return {"tokens": tokens, **tags, **entities_in_words(tokens, sides, place)}
    text = text_of(given_words, held.names["text"], place)
    if sides:
        tokens, entities = entities_in_text(text, sides, place)
        return {"tokens": tokens, **entities}
    row: Row = {}
    for tag in tagged:
        row["tokens"], spans = words_and_entities(text, values[ENTITIES[tag]], place)
        row[tag] = bio_tags(spans, len(row["tokens"]))
    if not row["tokens"]:
        raise LabelledError(place, "a text with words", repr(text), "Leave the row out.")
    return row


def _rewrite_tags(rows: list[Row], column: str, found: Given, *, alone: bool) -> None:
    """Tags as the project has them; where others stand beside them (`alone` is false), with B- and I- always."""
    scheme = scheme_of_tags(found.name, {tag for row in rows for tag in row[column]})
    for row, place in zip(rows, found.places, strict=True):
        if scheme != IO or not alone:
            row[column] = bio_tags(spans_of(scheme, row[column], place), len(row["tokens"]))


def _require_unique(ids: list[str], places: Iterable[str]) -> None:
    first: dict[str, str] = {}
    for name, place in zip(ids, places, strict=True):
        if name in first:
            remedy = "Give each row an id of its own, or name the column otherwise to number the rows."
            raise LabelledError(place, "ids that occur once", f"{name!r} again ({first[name]})", remedy)
        first[name] = place


def _refuse_twins(labels: Iterable[str], found: Given, column: str) -> None:
    """Labels that differ in white space around them alone would be two classes, and look like one."""
    seen: dict[str, tuple[str, str]] = {}
    for label, place in zip(labels, found.places, strict=True):
        other, where = seen.setdefault(label.strip(), (label, place))
        if other != label:
            got = f"{label!r}, and {other!r} in {where}"
            raise LabelledError(place, f"one way to write a {column}", got, "Take the white space away.")
