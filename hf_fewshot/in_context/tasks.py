"""The examples of each task in words, and answers in words back to predictions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hf_fewshot.display import joiner, tag_spans
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.in_context.parsing import UNPARSED, parse_answers, parse_entities, parse_frame, parse_label
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from hf_fewshot.schemas import LABEL_COLUMN

# Fields that hold no content in a content-free query; the others, such as CLUES' questions, belong to the form.
CONTENT = ("text", "sentence", "head", "tail", "context", "context_1", "context_2")


@dataclass(frozen=True)
class Parsed:
    """A prediction as scoring expects it; whether the answer was in the form asked for; entities without a place."""

    prediction: Any
    parsed: bool = True
    unplaced: int = 0


class TaskPrompts:
    """The prompts and answers of one episode in one format.

    `words` gives the word of each label, for tasks whose answer is one label; it is None where answers are free text.
    """

    def __init__(
        self, prompt_format: PromptFormat, episode: Episode, support: Sequence[Mapping[str, Any]], nota: bool = False
    ) -> None:
        self.format = prompt_format
        self.episode = episode
        self.words = self._label_words(support, nota)
        self.names = {
            kind: [name[len(kind) + 1 :] for name in episode.classes if name.startswith(f"{kind}:")]
            for kind in ("intent", "slot")
        }
        self.prompts = Prompts(
            prompt_format.instruction.format_map(self._episode_fields()),
            tuple(self._demonstration(example) for example in support),
            prompt_format.separator,
        )

    def query(self, example: Mapping[str, Any]) -> str:
        """An example up to its answer."""
        return self._render(example_fields(self.format.task, example), example["id"])

    def content_free(self, example: Mapping[str, Any], content: str) -> str:
        """A query in the form of this example, with nothing to tell its label from (Zhao et al. 2021)."""
        own = example_fields(self.format.task, example)
        return self._render({key: content if key in CONTENT else own[key] for key in own}, example["id"])

    def parse(self, text: str, example: Mapping[str, Any]) -> Parsed:
        """The prediction of what a model wrote."""
        if self.words is not None:
            label = parse_label(text, self.words)
            return Parsed(self.prediction(UNPARSED if label is None else label), label is not None)
        if self.format.task == "spans":
            answers = parse_answers(text)
            return self.failed(example) if answers is None else Parsed(answers)
        if self.format.task == "tagging":
            tagged = parse_entities(text, example["tokens"], self.episode.classes)
            return self.failed(example) if tagged is None else Parsed(tagged[0], unplaced=tagged[1])
        frame = parse_frame(text, example["tokens"], self.names["intent"], self.names["slot"])
        return self.failed(example) if frame is None else Parsed(frame[0], unplaced=frame[1])

    def failed(self, example: Mapping[str, Any]) -> Parsed:
        """The prediction where there is no answer: never right, and an entity or a slot too many."""
        if self.words is not None or self.format.task == "spans":
            return Parsed(self.prediction(UNPARSED), parsed=False)
        n_words = len(example["tokens"])
        if self.format.task == "tagging":
            return Parsed([UNPARSED] * n_words, parsed=False)
        tags = [f"{'I' if place else 'B'}-{UNPARSED}" for place in range(n_words)]
        return Parsed({"intent": UNPARSED, "slot_tags": tags}, parsed=False)

    def prediction(self, label: str) -> Any:
        """One label as a prediction of the task."""
        return [label] if self.format.task == "spans" else label

    def _label_words(self, support: Sequence[Mapping[str, Any]], nota: bool) -> dict[str, str] | None:
        if self.format.task == "spans":
            return dict(self.format.labels) or None
        if self.format.task not in ("relation", "classification"):
            return None
        column = LABEL_COLUMN[self.format.task]
        # FewRel's relations are numbers of Wikidata; their names are a column of their own.
        names = {one[column]: one["relation_name"] for one in support if one.get("relation_name")}
        words = {label: self.format.labels.get(label, names.get(label, label)) for label in self.episode.classes}
        if nota:
            words[NOTA] = self.format.nota
        folded = [word.strip().casefold() for word in words.values()]
        if len(set(folded)) < len(folded):
            raise ValueError(f"Labels have the same word: {words}. Give each its own under 'labels' of the format.")
        return words

    def _episode_fields(self) -> dict[str, str]:
        listed = {kind + "s": ", ".join(names) for kind, names in self.names.items()}
        labels = ", ".join((self.words or {}).values())
        return {
            **listed,
            "labels": labels,
            "types": ", ".join(self.episode.classes),
            "domain": self.episode.group,
        }

    def _demonstration(self, example: Mapping[str, Any]) -> Demonstration:
        return Demonstration(self.query(example), *self._answer(example))

    def _answer(self, example: Mapping[str, Any]) -> tuple[str, str]:
        """An example's answer in words, and its label."""
        task = self.format.task
        if self.words is not None:
            label = example[LABEL_COLUMN[task]] if task != "spans" else (example["answers"] or [""])[0]
            if label not in self.words:
                raise ValueError(
                    f"The demonstration {example['id']!r} has the label {label!r}, which the format has no word for. "
                    f"Known: {', '.join(self.words)}."
                )
            return self.words[label], label
        if task == "spans":
            return _line(example["answers"]), ""
        tokens = example["tokens"]
        known = self.episode.classes if task == "tagging" else self.names["slot"]
        column = "tags" if task == "tagging" else "slot_tags"
        space = joiner(tokens)
        spans = [(space.join(tokens[a:b]), name) for a, b, name in tag_spans(example[column]) if name in known]
        if task == "tagging":
            return _line(spans), ""
        return _line({"intent": example["intent"], "slots": spans}), example["intent"]

    def _render(self, values: dict[str, str], name: str) -> str:
        try:
            return self.format.query.format_map(values)
        except KeyError as error:
            raise ValueError(
                f"The format shows {error.args[0]!r}, but example {name!r} has only {', '.join(values)}. Change it."
            ) from None


def example_fields(task: str, example: Mapping[str, Any]) -> dict[str, str]:
    """What a query can show of an example."""
    if task == "classification":
        return {"text": example["text"]}
    if task == "spans":
        parts = {f"context_{number}": part for number, part in enumerate(example["context"], start=1)}
        return {"context": "\n".join(example["context"]), "question": example["question"], **parts}
    space = joiner(example["tokens"])
    fields = {"sentence": space.join(example["tokens"])}
    if task == "relation":
        for side in ("head", "tail"):
            mention = example[side]["mentions"][0]
            fields[side] = space.join(example["tokens"][mention["start"] : mention["end"]])
    return fields


def _line(value: Any) -> str:
    """One line of JSON, as people write it."""
    return json.dumps(value, ensure_ascii=False)
