"""The prompts of one episode in one format, and answers in words back to predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from hf_fewshot.in_context.templates import rendered
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.answers_in_words import parse_label
from hf_fewshot.tasks.named_label import named_label
from hf_fewshot.tasks.parsed import Parsed

# Fields that hold no content in a content-free query; the others, such as CLUES' questions, belong to the form.
CONTENT = ("text", "sentence", "head", "tail", "context", "context_1", "context_2")


class TaskPrompts:
    """The prompts and answers of one episode in one format.

    `words` gives the word of each label, for tasks whose answer is one label; it is None where answers are free text.
    """

    def __init__(
        self, prompt_format: PromptFormat, episode: Episode, support: Sequence[Mapping[str, Any]], nota: bool = False
    ) -> None:
        self.format = prompt_format
        self.task = task_of(prompt_format.task)
        self.episode = episode
        self.words = self._label_words(support, nota)
        told = self.task.describe(episode.classes, episode.group, self.words)
        self.prompts = Prompts(
            prompt_format.instruction.format_map(told),
            tuple(self._demonstration(example) for example in support),
            prompt_format.separator,
            prompt_format.system.format_map(told),
        )

    def prompts_with(self, places: Sequence[int]) -> Prompts:
        """The prompts with only some of the demonstrations, in this order."""
        return replace(self.prompts, demonstrations=tuple(self.prompts.demonstrations[place] for place in places))

    def query(self, example: Mapping[str, Any]) -> str:
        """An example up to its answer."""
        return self._render(self.task.fields(example), example["id"])

    def content_free(self, example: Mapping[str, Any], content: str) -> str:
        """A query in the form of this example, with nothing to tell its label from (Zhao et al. 2021)."""
        own = self.task.fields(example)
        return self._render({key: content if key in CONTENT else own[key] for key in own}, example["id"])

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer in this episode."""
        return self.task.answer_schema(self.episode.classes, self.words)

    def parse(self, text: str, example: Mapping[str, Any]) -> Parsed:
        """The prediction of what a model wrote."""
        if self.words is not None:
            strict = parse_label(text, self.words)
            label = named_label(text, self.words) if strict is None else strict
            if label is None:
                return self.failed(example)
            return Parsed(self.prediction(label), loose=strict is None)
        found = self.task.read(text, example, self.episode.classes)
        return self.failed(example) if found is None else found

    def failed(self, example: Mapping[str, Any]) -> Parsed:
        """The prediction where there is no answer: never right."""
        return Parsed(self.task.unparsed(example), parsed=False)

    def prediction(self, label: str) -> Any:
        """One label as a prediction of the task."""
        return self.task.of_label(label)

    def _label_words(self, support: Sequence[Mapping[str, Any]], nota: bool) -> dict[str, str] | None:
        form = self.format
        words = self.task.label_words(form.labels, self.episode.classes, support, form.nota if nota else None)
        folded = [word.strip().casefold() for word in (words or {}).values()]
        if len(set(folded)) < len(folded):
            raise ValueError(f"Labels have the same word: {words}. Give each its own under 'labels' of the format.")
        return words

    def _demonstration(self, example: Mapping[str, Any]) -> Demonstration:
        return Demonstration(self.query(example), *self._answer(example))

    def _answer(self, example: Mapping[str, Any]) -> tuple[str, str]:
        """An example's answer in words, and its label."""
        if self.words is None:
            return self.task.answer(example, self.episode.classes)
        label = self.task.label(example)
        if label not in self.words:
            raise ValueError(
                f"The demonstration {example['id']!r} has the label {label!r}, which the format has no word for. "
                f"Known: {', '.join(self.words)}."
            )
        return self.words[label], label

    def _render(self, values: dict[str, str], name: str) -> str:
        if self.format.template:
            return rendered(self.format.template, values, name)
        try:
            return self.format.query.format_map(values)
        except KeyError as error:
            raise ValueError(
                f"The format shows {error.args[0]!r}, but example {name!r} has only {', '.join(values)}. Change it."
            ) from None
