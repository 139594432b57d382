"""A sentence with a gap, and the words that stand for labels in it: templates and verbalizers as data."""

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_yaml import read_yaml
from hf_fewshot.registry import unknown

MASK, QUESTION = "mask", "question"
FORMS: dict[str, Callable[[str], str]] = {
    "": str,
    "bare": lambda text: text.rstrip(string.punctuation + string.whitespace),
    "lower": lambda text: text[:1].lower() + text[1:],
}


@dataclass(frozen=True)
class Filled:
    """A template filled in: its text, where the gap begins in it, and where the fields are (first, last + 1)."""

    text: str
    gap: int
    fields: list[tuple[int, int]]


@dataclass(frozen=True)
class Cloze:
    """A template and its verbalizer; templates.yaml says what they are made of."""

    name: str
    fields: tuple[str, ...]
    text: str
    labels: Mapping[str, str]

    def __post_init__(self) -> None:
        known = {*self.fields, MASK, QUESTION}
        try:
            used = [(name, form) for _, name, form, _ in string.Formatter().parse(self.text) if name is not None]
        except ValueError as error:
            raise ValueError(f"Template {self.name!r}: {self.text!r} cannot be read: {error}.") from error
        for name, form in used:
            if name not in known:
                raise ValueError(f"Template {self.name!r} uses the field {name!r}. Known: {', '.join(sorted(known))}.")
            if form not in FORMS:
                raise unknown(f"form of {name!r} in template {self.name!r}", form, [form for form in FORMS if form])
        if [name for name, _ in used].count(MASK) != 1:
            raise ValueError(f"Template {self.name!r} must have {{mask}} exactly once, but is {self.text!r}.")
        if len(self.labels) < 2 or not all(isinstance(word, str) and word for word in self.labels.values()):
            raise ValueError(
                f"Template {self.name!r} needs at least two labels, each with a word (in quotation marks: YAML "
                f"reads a bare Yes or No as true or false), got {dict(self.labels)}."
            )

    def label_of(self, row: Mapping[str, Any]) -> str:
        """The label of a row: its one answer."""
        answers = list(row["answers"])
        if len(answers) != 1 or answers[0] not in self.labels:
            raise ValueError(
                f"Row {row.get('id')!r} has the answers {answers}; template {self.name!r} needs one of "
                f"{', '.join(self.labels)}."
            )
        return answers[0]

    def fill(self, row: Mapping[str, Any], gap: str) -> Filled:
        """The template with the texts of a row, and `gap` (a mask token or a word) where the mask is."""
        context = [text.strip() for text in row["context"]]
        if len(context) != len(self.fields):
            raise ValueError(
                f"Template {self.name!r} takes {len(self.fields)} texts ({', '.join(self.fields)}), but row "
                f"{row.get('id')!r} has {len(context)}."
            )
        values = {QUESTION: row["question"].strip(), **dict(zip(self.fields, context, strict=True))}
        text, at, places = "", 0, []
        for literal, name, form, _ in string.Formatter().parse(self.text):
            text += literal
            if name == MASK:
                at = len(text)
                text += gap
            elif name is not None:
                begin = len(text)
                text += FORMS[form or ""](values[name])
                places.append((begin, len(text)))
        return Filled(text, at, places)


def load_clozes(file: str | Path | None = None) -> dict[str, Cloze]:
    """The templates of a file in the form of templates.yaml, or our own."""
    path = Path(__file__).with_name("templates.yaml") if file is None else Path(file)
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected templates by name, got {type(content).__name__}.")
    return {
        name: from_mapping(Cloze, entry, f"{path}: template {name!r}", name=name) for name, entry in content.items()
    }


def load_cloze(name: str, file: str | Path | None = None) -> Cloze:
    """A template by name, from our own or from a file of the user's."""
    clozes = load_clozes(file)
    if name not in clozes:
        raise unknown("template", name, clozes)
    return clozes[name]
