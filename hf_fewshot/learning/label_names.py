"""The names of classes as examples: what a class is called says something of it, where people chose the name."""

import re
from collections.abc import Sequence
from typing import Any

from hf_fewshot.tasks.task import Task

# Where words of a name part: `card_arrival`, `CardArrival`, `card-arrival`, `card.arrival`, `card/arrival`.
_PARTS = re.compile(r"[\s_\-./|:+]+|(?<=[a-z])(?=[A-Z])")
# Names that only number classes: `3`, `LABEL_3`, `class 3`, `c3`, `x`.
_NUMBER = re.compile(r"(?:label|class|category|cat|topic|group|type|id|[a-z])?\W*\d*", re.IGNORECASE)


def name_texts(names: Sequence[str]) -> list[str] | None:
    """The names as they would stand in a text; None if one of them says nothing."""
    texts = [" ".join(part for part in _PARTS.split(name) if part).lower() for name in names]
    return None if any(_NUMBER.fullmatch(text) for text in texts) else texts


def name_examples(task: Task, names: Sequence[str], wanted: bool | None) -> list[dict[str, Any]]:
    """An example of each class that is its name; none where they do not count.

    Args:
        wanted: None: where the task can have such examples and all names are words. True: else it is an error.
    """
    texts = None if wanted is False else name_texts(names)
    rows = [task.named(name, text) for name, text in zip(names, texts or (), strict=bool(texts))]
    found = [row for row in rows if row is not None]
    if wanted and not found:
        raise ValueError(
            f"label_names=True needs a task whose examples are texts, and names that are words; got task "
            f"{task.name!r} and {', '.join(map(repr, names[:5]))}. Leave it out."
        )
    return found
