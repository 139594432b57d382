"""Examples to begin with, and what the page calls the tasks."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hf_fewshot.files.strict_yaml import strict_yaml
from hf_fewshot.tasks import Task

FILE = Path(__file__).with_name("ready.yaml")


@dataclass(frozen=True)
class ReadySet:
    """Written examples by a name, and sentences to ask."""

    name: str
    examples: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """What the page says of a task.

    Args:
        title: of its tab.
        about: what its answers are.
        how: how its examples are written.
        sets: the first is there when the page opens.
    """

    title: str
    about: str
    how: str
    sets: tuple[ReadySet, ...]


def words_of(task: Task) -> Words:
    """What is said of a task; of one from outside its name alone."""
    content = _content().get(task.name)
    if content is None:
        return Words(task.name, "", "", (ReadySet("none", "", ()),))
    sets = (ReadySet(name, one["examples"], tuple(one["sentences"])) for name, one in content["sets"].items())
    return Words(content["title"], content["about"], content["how"], tuple(sets))


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = strict_yaml(FILE.read_text(encoding="utf-8"))
    return content
