"""A question about a context and the set of its answers, as CLUES asks everything."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from datasets import Dataset, List

from hf_fewshot.registry import resolve
from hf_fewshot.tasks.answer_schemas import TEXT, list_of, one_of
from hf_fewshot.tasks.answers_in_words import parse_answers
from hf_fewshot.tasks.asked import Example
from hf_fewshot.tasks.form import Answer, Form, Mark, Marking, Part
from hf_fewshot.tasks.labels import UNPARSED
from hf_fewshot.tasks.loose_answers import loose_answers
from hf_fewshot.tasks.parsed import Parsed
from hf_fewshot.tasks.task import STRING, Baseline, Row, Shown, Task
from hf_fewshot.text.short_value import short

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode

NO_ANSWER = "no answer"


def always_empty(support: Sequence[Row], queries: Sequence[Row]) -> list[list[str]]:
    """Never answers: right wherever there is no answer."""
    return [[] for _ in queries]


def most_frequent(support: Sequence[Row], queries: Sequence[Row]) -> list[list[str]]:
    """Always the set of answers that most training rows have; of equals, the first; without any row, no answer."""
    counts = Counter(tuple(sorted(row["answers"])) for row in support)
    answers = max(counts, key=counts.__getitem__, default=())
    return [list(answers) for _ in queries]


def every_label(support: Sequence[Row], queries: Sequence[Row]) -> list[list[str]]:
    """All training answers that stand in the question: both labels of SST-2 score 0.67, the three of MNLI 0.5."""
    known = dict.fromkeys(answer for row in support for answer in row["answers"])
    return [[answer for answer in known if answer in row["question"]] for row in queries]


class Spans(Task):
    """Sets of answers, each a span of question or context."""

    name = "spans"
    columns: ClassVar[dict[str, Any]] = {
        "id": STRING,
        "context": List(STRING),
        "question": STRING,
        "answers": List(STRING),
    }
    measure = "s1"
    hub_task = "question-answering"
    baselines: ClassVar[dict[str, Baseline]] = {
        "always_empty": always_empty,
        "most_frequent": most_frequent,
        "every_label": every_label,
    }
    query_fields = ("context", "context_1", "context_2", "question")
    episode_fields = ("labels",)
    analysis = "hf_fewshot.analyses.answers:analyse"
    most_confused = 25
    told = (
        "Answer each question by marking every answer where it stands, in the text or in the question. Where there is "
        "none, mark nothing."
    )
    marks_measure = "s1"

    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        answers = examples["answers"][:]
        for episode in episodes:
            yield [answers[row] for row in episode.query]

    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        fits = isinstance(prediction, list) and all(isinstance(answer, str) for answer in prediction)
        return "" if fits else f"expected a list of answers, got {short(prediction)}"

    def score(
        self, predictions: list[Any], references: list[Any], groups: Sequence[int] | np.ndarray, **options: Any
    ) -> Row:
        options.pop("compat", None)
        return resolve("hf_fewshot.metrics.s1.scoring:score")(predictions, references, groups=groups, **options)

    def unit(self, n_episodes: int) -> str:
        return "question"

    def render(self, example: Mapping[str, Any]) -> str:
        return f"{example['question']} -> {example['answers'] or NO_ANSWER}: {' / '.join(example['context'])}"

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return f"{example['question']} | {' / '.join(example['context'])}".split()

    def n_words(self, example: Mapping[str, Any]) -> int:
        """Without what stands between question and context."""
        return sum(len(part.split()) for part in (example["question"], *example["context"]))

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown([], _set(example["answers"]))

    def with_reference(self, example: Row, reference: Any) -> Row:
        return {**example, "answers": reference}

    def shown_prediction(self, prediction: Any, example: Mapping[str, Any]) -> Shown:
        return Shown([], _set(prediction))

    def confused(self, reference: Any, prediction: Any) -> list[tuple[str, str]] | None:
        """Sets of answers count where every question has exactly one, as in classification."""
        return [(reference[0], _set(prediction))] if len(reference) == 1 else None

    def form(self, example: Example, classes: Sequence[str], words: Mapping[str, str]) -> Form:
        return Form(_parts(example), marking=Marking("Answers", None, aligned=False))

    def filled(self, answer: Answer, example: Example, classes: Sequence[str], **scored_by: Any) -> Any:
        """The marked texts, each once, in the order of the marks."""
        texts = _texts(example)
        return list(dict.fromkeys(texts[mark.part][mark.start : mark.end] for mark in answer.marks))

    def answered(
        self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str], **scored_by: Any
    ) -> Answer:
        """Each answer where it stands first; one without a character says nothing, as CLUES has it."""
        texts, marks, nowhere = _texts(example), [], []
        for text in dict.fromkeys(one for one in prediction if one.strip()):
            place = next((number for number, part in enumerate(texts) if text in part), None)
            if place is None:
                nowhere.append(text)
                continue
            start = texts[place].index(text)
            marks.append(Mark(place, start, start + len(text)))
        return Answer(marks=tuple(marks), nowhere=tuple(nowhere))

    def is_same(self, prediction: Any, other: Any) -> bool:
        own, theirs = ({one for one in answers if one.strip()} for answers in (prediction, other))
        return own == theirs

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        parts = {f"context_{number}": part for number, part in enumerate(example["context"], start=1)}
        return {"context": "\n".join(example["context"]), "question": example["question"], **parts}

    def label_words(
        self, given: Mapping[str, str], classes: Sequence[str], support: Sequence[Mapping[str, Any]], nota: str | None
    ) -> dict[str, str] | None:
        """A format with labels makes it a classification task."""
        return dict(given) or None

    def label(self, example: Mapping[str, Any]) -> str:
        return (example["answers"] or [""])[0]

    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        return json.dumps(example["answers"], ensure_ascii=False), ""

    def answer_schema(self, classes: Sequence[str], words: Mapping[str, str] | None) -> dict[str, Any]:
        return list_of(TEXT) if words is None else one_of(words.values())

    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        strict = parse_answers(text)
        if strict is not None:
            return Parsed(strict)
        answers = loose_answers(text, "\n".join((example["question"], *example["context"])))
        return None if answers is None else Parsed(answers, loose=True)

    def of_label(self, label: str) -> Any:
        return [label]

    def unparsed(self, example: Mapping[str, Any]) -> Any:
        return [UNPARSED]


def _texts(example: Mapping[str, Any]) -> list[str]:
    return [*example["context"], example["question"]]


def _parts(example: Mapping[str, Any]) -> tuple[Part, ...]:
    *contexts, question = _texts(example)
    names = ["context"] if len(contexts) == 1 else [f"context {number}" for number in range(1, len(contexts) + 1)]
    return (*(Part(name, text) for name, text in zip(names, contexts, strict=True)), Part("question", question))


def _set(answers: Sequence[str]) -> str:
    return " | ".join(answers) or NO_ANSWER
