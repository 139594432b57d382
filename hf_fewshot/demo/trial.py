"""A model tried: examples that somebody wrote and a sentence, to an answer with its reasons."""

from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np

from hf_fewshot.demo.limits import SENTENCE, require_length
from hf_fewshot.demo.marked_text import Mark, plain_text
from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.shape import Shape, shape_of
from hf_fewshot.demo.sheet import Sheet, placed_sides, read_content, read_sheet
from hf_fewshot.learning.class_counts import class_counts
from hf_fewshot.learning.learner import FewShotLearner
from hf_fewshot.learning.parts import Part
from hf_fewshot.learning.queries import read_query
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.labels import NOTA

# How many of the nearest examples are the reason of an answer.
NEAREST = 3
# Sets of examples whose learners are kept: of those who try at the same time, and of going back.
MOST_LEARNERS = 32


@dataclass(frozen=True)
class Entity:
    """A marked stretch of the sentence, with the scores of all classes (None: no entity) and the nearest examples."""

    mark: Mark
    text: str
    score: float
    scores: dict[str | None, float]
    nearest: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Answer:
    """What the model says of a sentence.

    Args:
        label: the class of all of it; None: the task has none, or it is none of the above (`is_none`).
        scores: of the classes, the highest first.
        nearest: the examples nearest to the sentence.
        entities: found in it; None: the task has none.
        sides: entities that were given, such as head and tail.
        doubtful: where no entity was found, the word that is most like one.
    """

    text: str
    label: str | None
    is_none: bool
    scores: dict[str, float]
    nearest: tuple[Mapping[str, Any], ...]
    entities: tuple[Entity, ...] | None
    sides: tuple[Mark, ...]
    doubtful: Entity | None


@dataclass(frozen=True)
class Learned:
    """A learner that has learned what was written, how many examples each class has, and classes without one."""

    learner: FewShotLearner
    counts: dict[str, int | None]
    empty: tuple[str, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The classes of each column, in the order of their colours."""
        return () if self.learner.fitted is None else self.learner.fitted.parts

    @property
    def n_examples(self) -> int | None:
        """How many examples there are; None where they were left out when a learner was saved."""
        fitted = self.learner.fitted
        return None if fitted is None or fitted.support is None else len(fitted.support.examples)


class Trial:
    """Answers by one model; whoever asks waits for the one before."""

    def __init__(self, model: DemoModel) -> None:
        self.model = model
        self._lock = Lock()
        self._learned: OrderedDict[tuple[str, str, bool], Learned] = OrderedDict()

    def learned(self, task: Task, sheet: str, none_of_the_above: bool) -> Learned:
        """What the written examples teach; without any, what a saved learner has learned before."""
        with self._lock:
            return self._learn(task, sheet, none_of_the_above)

    def answer(self, task: Task, sheet: str, sentence: str, none_of_the_above: bool) -> Answer:
        """The answer to a sentence; whatever cannot be understood is a ValueError in words."""
        shape = shape_of(task)
        require_length(sentence, SENTENCE, "The sentence")
        query, sides = _query(sentence.strip(), shape)
        with self._lock:
            learned = self._learn(task, sheet, none_of_the_above)
            (said,) = learned.learner.answers([query], NEAREST if learned.n_examples else 0)
            found = learned.learner.predict_proba([query])
        probabilities = found if isinstance(found, dict) else {task.class_columns[0].name: found}
        parts = {part.column.name: part.classes for part in learned.parts}
        answer = Answer(query["text"], None, False, {}, tuple(said.get("nearest", ())), None, sides, None)
        if shape.label is not None:
            label, name = said[shape.label.answer], shape.label.name
            scores = _ranked(dict(zip(parts[name], probabilities[name][0].tolist(), strict=True)))
            is_none = none_of_the_above_is(label, parts[name])
            answer = replace(answer, label=None if is_none else label, is_none=is_none, scores=scores)
        if shape.tags is not None:
            words = read_query(task, query).words
            of_words = WordScores(query["text"], words, parts[shape.tags.name], probabilities[shape.tags.name][0])
            entities = tuple(of_words.entity(one) for one in said[shape.tags.answer])
            answer = replace(answer, entities=entities, doubtful=None if entities else of_words.most_like_one())
        return answer

    def _learn(self, task: Task, text: str, none_of_the_above: bool) -> Learned:
        key = (task.name, text, none_of_the_above)
        if key not in self._learned:
            self._learned[key] = self._new(task, read_sheet(text, task), none_of_the_above)
        self._learned.move_to_end(key)
        if len(self._learned) > MOST_LEARNERS:
            self._learned.popitem(last=False)
        return self._learned[key]

    def _new(self, task: Task, sheet: Sheet, none_of_the_above: bool) -> Learned:
        learner = self.model.learner(task, none_of_the_above=none_of_the_above)
        if sheet.rows:
            _require_enough(Counter(_classes_of(sheet, task)), task, none_of_the_above)
            learner.learn(sheet.rows)
        elif self.model.fitted is not None and not sheet.empty:
            learner.fitted = self.model.fitted
        else:
            raise ValueError("There is no example yet. Write some, or load ready-made ones.")
        return Learned(learner, class_counts(learner), sheet.empty)


def none_of_the_above_is(label: str, classes: tuple[str, ...]) -> bool:
    """Whether a label says that there is none; a class may have that name."""
    return label == NOTA and NOTA not in classes


class WordScores:
    """The probabilities (words, 1 + classes) of the words of a text, no entity first."""

    def __init__(
        self, text: str, words: list[tuple[int, int]], classes: tuple[str, ...], probabilities: np.ndarray
    ) -> None:
        self.text = text
        self.words = words
        self.classes: tuple[str | None, ...] = (None, *classes[1:])
        self.probabilities = probabilities

    def entity(self, said: Mapping[str, Any]) -> Entity:
        """An entity of an answer, with the mean scores of its words."""
        mark = Mark(said["start"], said["end"], said["type"])
        inside = [mark.start <= start and end <= mark.end for start, end in self.words]
        means = self.probabilities[np.array(inside)].mean(0)
        return self._entity(mark, means, said["score"], tuple(said.get("nearest", ())))

    def most_like_one(self) -> Entity | None:
        """The word with the highest score of a class."""
        if len(self.classes) < 2:
            return None
        word, kind = np.unravel_index(self.probabilities[:, 1:].argmax(), self.probabilities[:, 1:].shape)
        own = self.probabilities[word]
        mark = Mark(*self.words[int(word)], str(self.classes[int(kind) + 1]))
        return self._entity(mark, own, float(own[int(kind) + 1]), ())

    def _entity(self, mark: Mark, means: np.ndarray, score: float, nearest: tuple[Mapping[str, Any], ...]) -> Entity:
        scores = _ranked(dict(zip(self.classes, means.tolist(), strict=True)))
        return Entity(mark, self.text[mark.start : mark.end], score, scores, nearest)


def _classes_of(sheet: Sheet, task: Task) -> list[str]:
    """The class of each example; none where words have them."""
    label = shape_of(task).label
    return [] if label is None else [row[label.name] for row in sheet.rows]


def _require_enough(counts: Counter[str], task: Task, none_of_the_above: bool) -> None:
    """Raises ValueError for examples of which nothing can be learned yet."""
    if not counts:
        return
    if len(counts) < 2 and shape_of(task).tags is None:
        raise ValueError(f"There is only the class {next(iter(counts))!r} so far. Write a second one with an example.")
    if none_of_the_above and (len(counts) < 2 or max(counts.values()) < 2):
        raise ValueError(
            "To answer none of the above it takes two classes, and one of them with two examples. Add some, or untick "
            "it."
        )


def _query(sentence: str, shape: Shape) -> tuple[dict[str, Any], tuple[Mark, ...]]:
    """What a learner is asked, and the entities in it that were given."""
    if not sentence:
        raise ValueError("Type a sentence.")
    if not shape.sides:
        return {"text": plain_text(sentence) if shape.has_marks else sentence}, ()
    try:
        content = read_content(sentence, shape)
    except ValueError as error:
        raise ValueError(f"The sentence: {error}") from error
    return {"text": content.text, **placed_sides(content)}, content.marks


def _ranked(scores: dict[Any, float]) -> dict[Any, float]:
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
