"""Prompt formats as data: what a model is told, how a query looks, which words stand for labels."""

import hashlib
import json
import string
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_yaml import read_yaml
from hf_fewshot.in_context.templates import check_template, read_template
from hf_fewshot.registry import suggestion, unknown
from hf_fewshot.tasks import task_of

FORMATS = Path(__file__).with_name("formats")


@dataclass(frozen=True)
class PromptFormat:
    """How the examples of a task become a prompt.

    Args:
        task: the schema of the examples.
        query: what an example looks like up to its answer, such as `"Review: {text}\\nSentiment:"`.
        template: in place of `query`, the same in Jinja, such as `"Review: {{ text | trim }}\\nSentiment:"`.
        instruction: what stands before the demonstrations; may be empty.
        system: what a model is told before all else: a turn of its own in a conversation, in plain text a paragraph.
        labels: the word for each label. A span task with labels is scored as a classification task; in the other
            tasks a label without a word is its own word.
        nota: the word for none of the above.
        separator: what stands between two demonstrations.
        max_new_tokens: the longest answer, where answers are generated. A longer one is cut off, and so not parsed.
    """

    task: str
    query: str = ""
    instruction: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    nota: str = "none of the above"
    separator: str = "\n\n"
    max_new_tokens: int = 64
    template: str = ""
    system: str = ""

    def __post_init__(self) -> None:
        task = task_of(self.task)
        if self.query and self.template:
            raise ValueError("query and template both say what an example looks like. Leave one of them out.")
        if self.template:
            check_template(self.template, task.query_fields)
        else:
            _check_query(self.query, task.query_fields)
        _check_fields("instruction", self.instruction, task.episode_fields)
        _check_fields("system", self.system, task.episode_fields)
        if self.max_new_tokens < 1:
            raise ValueError(f"max_new_tokens must be a whole number of at least 1, but is {self.max_new_tokens!r}.")
        _check_words(self.labels, self.nota)

    @property
    def fingerprint(self) -> str:
        """A hash over all of it."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]

    def with_template(self, path: str | Path) -> "PromptFormat":
        """The format with the Jinja template of a file in place of its query."""
        source = read_template(path)
        try:
            return replace(self, query="", template=source)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error


def load_format(name: str | Path) -> PromptFormat:
    """A format by name (`classification`, `clues_mnli`, ...), or from a YAML file of one's own."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        if str(name) not in format_names():
            raise unknown("prompt format", name, format_names())
        path = FORMATS / f"{name}.yaml"
    try:
        content = read_yaml(path)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"There is no prompt format at {path}. Known names: {', '.join(format_names())}."
        ) from None
    return from_mapping(PromptFormat, content, str(path))


def format_names() -> list[str]:
    """The formats that come with the package."""
    return sorted(path.stem for path in FORMATS.glob("*.yaml"))


def _check_query(query: str, known: Iterable[str]) -> None:
    if not query.strip():
        raise ValueError(
            "query is empty, and there is no template. It must show the example, such as 'Review: {text}'."
        )
    if query[-1].isspace():
        raise ValueError(f"query {query!r} ends with white space, but answers bring their own. Leave it out.")
    _check_fields("query", query, known, required=True)


def _check_fields(name: str, template: str, known: Iterable[str], required: bool = False) -> None:
    try:
        found = [(key, spec or conversion) for _, key, spec, conversion in string.Formatter().parse(template)]
    except ValueError as error:
        raise ValueError(f"{name} {template!r} is no template: {error}. Write {{{{ and }}}} for braces.") from error
    used = [key for key, _ in found if key is not None]
    for key, extra in found:
        if key is not None and (key not in known or extra):
            raise ValueError(f"{name} {template!r} has the unknown field {{{key}}}. {suggestion(key, known)}")
    if required and not used:
        raise ValueError(f"{name} {template!r} shows nothing of the example. Use {{{'}, {'.join(known)}}}.")


def _check_words(labels: Mapping[str, str], nota: str) -> None:
    for label, word in labels.items():
        if not word.strip() or "\n" in word:
            raise ValueError(f"labels: the word for {label!r} must be one line of text, but is {word!r}.")
    words = [word.strip().casefold() for word in (*labels.values(), nota)]
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"labels: {word!r} stands for more than one label. Answers could not be told apart.")
