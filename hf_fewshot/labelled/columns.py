"""Which columns of a source hold what a task needs."""

from collections.abc import Mapping
from dataclasses import dataclass

from hf_fewshot.labelled.given import Given, LabelledError
from hf_fewshot.registry import suggestion
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.relation import SIDES

# Beside tags of words: entities of a text, by character offsets.
ENTITIES = {"tags": "entities", "slot_tags": "slots"}


@dataclass(frozen=True)
class Columns:
    """Columns of a source by what the task calls them.

    Args:
        names: of the source's columns.
        words: what holds the words, "tokens" or "text".
        is_tagged: whether tags of words are given; else, entities by character offsets, if any.
    """

    names: dict[str, str]
    words: str
    is_tagged: bool

    @classmethod
    def of(cls, task: Task, source: Given, columns: Mapping[str, str]) -> "Columns":
        """The columns of a source, some of which are renamed (`columns`: the task's name to the source's)."""
        forms = _forms(task)
        known = dict.fromkeys([*task.columns, *(name for form in forms for name in form)])
        for name, own in columns.items():
            if name not in known:
                raise ValueError(f"{name!r} is no column of task {task.name!r}. {suggestion(name, known)}")
            if own not in source.columns:
                remedy = suggestion(own, source.columns)
                raise LabelledError(source.name, f"a column {own!r} for {name}", _listed(source.columns), remedy)
        names = {name: columns.get(name, name) for name in known if columns.get(name, name) in source.columns}
        chosen = {name for name in columns if any(name in form for form in forms)}
        for form in forms:
            if chosen <= {*form} <= names.keys():
                words = "tokens" if "tokens" in form else "text"
                return cls(names, words, any(name in form for name in ENTITIES))
        example = ", ".join(f"{name!r}: ..." for name in forms[0] if name not in names)
        remedy = f"Say which is which with columns={{{example}}}, or with --text and --label."
        if source.is_text:
            remedy += " The first line of the file must have the names of its columns."
        raise LabelledError(source.name, _expected(forms), _listed(source.columns), remedy)


def texts_of(task: Task) -> list[str]:
    """The columns of a task without words that are not its labels: text, of tasks of others maybe several."""
    labels = {column.name for column in task.class_columns}
    return [name for name in task.columns if name != "id" and name not in labels]


def _forms(task: Task) -> list[tuple[str, ...]]:
    """The columns that a row may have, in other ways to say the same; the usual one first."""
    tags = [column.name for column in task.class_columns if column.is_tags]
    others = [column.name for column in task.class_columns if not column.is_tags]
    others += [name for name in SIDES if name in task.columns]
    if "tokens" not in task.columns:
        return [(*texts_of(task), *others)]
    forms = [("tokens", *tags, *others), ("text", *tags, *others)]
    return [*forms, ("text", *(ENTITIES[name] for name in tags), *others)] if tags else forms


def _expected(forms: list[tuple[str, ...]]) -> str:
    return "the columns " + ", or ".join(" and ".join(form) for form in forms)


def _listed(columns: tuple[str, ...]) -> str:
    return f"the columns {', '.join(columns)}" if columns else "no columns"
