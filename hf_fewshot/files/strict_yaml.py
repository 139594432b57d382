"""YAML of strangers: plain values only, no repeated keys, no bombs."""

import re
from pathlib import Path
from typing import Any

import yaml

MAX_BYTES = 1 << 18  # reading as much takes some seconds
# Values after aliases are written out: a few hundred bytes can name billions.
MAX_VALUES = 100_000
MAX_DEPTH = 50
PLAIN = (str, bool, int, float, type(None))


def read_yaml(path: str | Path) -> Any:
    """The value of a YAML file: text, numbers, true and false, lists and mappings with texts as keys.

    ValueError names the file and says what is wrong with it.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        return strict_yaml(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ValueError(f"{path} is no YAML that can be used: {reason}. Correct it.") from error


def strict_yaml(text: str) -> Any:
    """The value of a YAML text; ValueError says what is wrong with it.

    Numbers such as 1e-4 are numbers, as in YAML 1.2; PyYAML knows 1.1, in which they are texts.
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _Structure(loader).check(node)
        value = loader.construct_document(node)
    except yaml.YAMLError as error:
        raise ValueError(_described(error)) from error
    _refuse_other_values(value, "it")
    return value


class _Loader(yaml.SafeLoader):
    """Plain values only."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


class _Structure:
    """Walks a document before it is built: its keys come once, and its aliases, written out, stay within bounds."""

    def __init__(self, loader: "_Loader") -> None:
        self.loader = loader
        self.known: dict[int, int] = {}
        self.open: set[int] = set()

    def check(self, node: yaml.Node, depth: int = 0) -> int:
        """How many values a node stands for; more than allowed, a circle and deep nesting are errors."""
        if id(node) in self.known:
            return self.known[id(node)]
        if id(node) in self.open:
            raise _error("an alias stands for something that it is a part of", node)
        if depth > MAX_DEPTH:
            raise _error(f"it is nested more than {MAX_DEPTH} deep", node)
        self.open.add(id(node))
        _refuse_tags(node, self.loader)
        parts: list[yaml.Node] = []
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated_keys(node)
            parts = [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            parts = node.value
        size = 1 + sum(self.check(part, depth + 1) for part in parts)
        if size > MAX_VALUES:
            raise _error(f"it stands for more than {MAX_VALUES:,} values", node)
        self.open.discard(id(node))
        self.known[id(node)] = size
        return size


def _refuse_tags(node: yaml.Node, loader: _Loader) -> None:
    """Values are what they look like; only `!!str` may say otherwise, as quotes do."""
    plain = loader.resolve(type(node), node.value, (True, False))
    if node.tag not in (plain, loader.DEFAULT_SCALAR_TAG if isinstance(node, yaml.ScalarNode) else plain):
        tag = node.tag.replace("tag:yaml.org,2002:", "!!")
        raise _error(f"the tag {tag} is not read: leave it out", node)


def _refuse_repeated_keys(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _error("a key is no text", key)
        if key.value in seen:
            raise _error(f"the key {key.value!r} comes twice in one mapping", key)
        seen.add(key.value)


def _error(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)


def _described(error: yaml.YAMLError) -> str:
    """What is wrong and where, in one line."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem is None:
        return " ".join(str(error).split())
    said = f"{error.context}, {error.problem}" if error.context else error.problem
    mark = error.problem_mark or error.context_mark
    return said if mark is None else f"{said} (line {mark.line + 1}, column {mark.column + 1})"


def _refuse_other_values(value: Any, where: str) -> None:
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError(f"{where} holds {value!r}, in which half a character stands: no file can hold it")
    if isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise ValueError(f"{where} has the key {key!r}, which is no text: put quotes around it")
            _refuse_other_values(key, "a key")
            _refuse_other_values(part, repr(key))
    elif isinstance(value, list):
        for part in value:
            _refuse_other_values(part, where)
    elif not isinstance(value, PLAIN):
        raise ValueError(f"{where} holds {value!r}, which is no text, number, list or mapping: put quotes around it")
