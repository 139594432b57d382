"""The columns of each task: what a row of examples and a row of episodes look like."""

from collections.abc import Iterable
from typing import Any

from datasets import Dataset, Features, List, Value

STRING = Value("string")

# A mention is a half-open range of token positions. FewRel lists several mentions of an entity; methods use the first.
ENTITY = {
    "text": STRING,
    "id": STRING,
    "type": STRING,
    "mentions": List({"start": Value("int32"), "end": Value("int32")}),
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "joint": {
        "id": STRING,
        "domain": STRING,
        "tokens": List(STRING),
        "intent": STRING,
        "slot_tags": List(STRING),
    },
    "tagging": {"id": STRING, "tokens": List(STRING), "tags": List(STRING)},
    "relation": {
        "id": STRING,
        "tokens": List(STRING),
        "head": ENTITY,
        "tail": ENTITY,
        "relation": STRING,
        "original_relation": STRING,
    },
    "spans": {"id": STRING, "context": List(STRING), "question": STRING, "answers": List(STRING)},
    "classification": {"id": STRING, "text": STRING, "label": STRING},
}

# The column that says which classes an example holds. Joint examples have two: see episodes/class_index.py.
LABEL_COLUMN = {"tagging": "tags", "relation": "relation", "classification": "label"}


def example_features(task: str, extra: dict[str, Any] | None = None) -> Features:
    """The columns of an examples table of `task`, and those that a benchmark adds."""
    return Features({**EXAMPLES[task], **(extra or {})})


def table_of(rows: Iterable[dict[str, Any]], features: Features) -> Dataset:
    """Rows as a table; unlike `Dataset.from_list` it may have none."""
    rows = list(rows)
    return Dataset.from_dict({name: [row[name] for row in rows] for name in features}, features=features)


def episode_features(task: str, extra: dict[str, Any] | None = None) -> Features:
    """The columns of a table with one whole, readable episode per row.

    `support` and `query` hold complete examples. Where an example has one label (relation, classification), `target`
    says which of `classes` it is; `len(classes)` stands for none of the above.
    """
    member = {**EXAMPLES[task], **(extra or {})}
    if task in ("relation", "classification"):
        member["target"] = Value("int32")
    head = {"index": Value("int64"), "classes": List(STRING)}
    if task == "joint":
        head = {"index": Value("int64"), "domain": STRING, "intents": List(STRING), "slots": List(STRING)}
    return Features({**head, "support": List(member), "query": List(member)})
