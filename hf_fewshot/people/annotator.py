"""An annotator: how far the answers are, and what may come next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hf_fewshot.people.assignment import ANNOTATION, TRAINING, Stage
from hf_fewshot.people.plan import StudyError
from hf_fewshot.tasks.form import Answer, Mark

BEGIN, ANSWER, UNDO = "begin", "answer", "undo"


@dataclass(frozen=True)
class Question:
    """What an annotator is asked about: the episode, the step, the place in its support or query set."""

    episode: int
    step: str
    place: int


@dataclass
class Given:
    """An answer and the seconds that it took; those of answers that were taken back count with the last."""

    answer: Answer
    seconds: float


@dataclass
class Annotator:
    """One person's way through the stages, as the events of a log make it.

    Args:
        number: from 1.
        name: as it was given.
        stages: all that is to be gone through.
        joined: date and time in UTC.
        given: what was answered so far.
        stage: the number of the stage that comes or is gone through.
        begun: whether the stage was begun.
        done: how many examples of it were answered.
    """

    number: int
    name: str
    stages: Sequence[Stage]
    joined: str = ""
    given: dict[Question, Given] = field(default_factory=dict)
    stage: int = 0
    begun: bool = False
    done: int = 0

    @property
    def is_done(self) -> bool:
        """Whether everything was answered."""
        return self.stage == len(self.stages)

    @property
    def current(self) -> Stage | None:
        """The stage that comes or is gone through; None where all is done."""
        return None if self.is_done else self.stages[self.stage]

    @property
    def question(self) -> Question | None:
        """What is asked now; None before a stage is begun and when all is done."""
        stage = self.current
        return None if stage is None or not self.begun else _question(stage, self.done)

    @property
    def can_undo(self) -> bool:
        """Whether there is an answer to a query that may be changed: until something else is begun."""
        if self.begun:
            return self.done > 0 and self.stages[self.stage].step == ANNOTATION
        return self.stage > 0 and self.stages[self.stage - 1].step == ANNOTATION

    @property
    def n_queries(self) -> int:
        """How many queries are asked in all."""
        return sum(len(stage.order) for stage in self.stages if stage.step == ANNOTATION)

    def of_step(self, step: str) -> dict[Question, Given]:
        """The answers of a step that stand: those that were taken back are not among them."""
        return {one: self.given[one] for one in self._behind() if one.step == step}

    def was_asked(self, question: Question) -> bool:
        """Whether the question was answered and is not asked again."""
        return question in self.given and question in set(self._behind())

    def learnt(self) -> list[Question]:
        """The support examples of the episode that were answered, in their order."""
        stage = self.current
        return [one for one in self._behind() if stage and (one.episode, one.step) == (stage.episode, TRAINING)]

    def may(self, event: Mapping[str, Any]) -> bool:
        """Whether an event can come next."""
        kind = event["event"]
        if kind == ANSWER:
            return self.question is not None and self.question == _asked_in(event)
        return self.can_undo if kind == UNDO else kind == BEGIN and not self.begun and not self.is_done

    def take(self, event: Mapping[str, Any]) -> None:
        """Goes on by an event; StudyError if it cannot be the next one."""
        if not self.may(event):
            raise StudyError(f"{event['event']!r} cannot come here")
        if event["event"] == BEGIN:
            self.begun = True
        elif event["event"] == UNDO:
            self._undo()
        else:
            self._answer(_asked_in(event), answer_of(event["answer"]), float(event["seconds"]))

    def _answer(self, question: Question, answer: Answer, seconds: float) -> None:
        before = self.given.get(question)
        self.given[question] = Given(answer, seconds + (before.seconds if before else 0.0))
        self.done += 1
        if self.done == len(self.stages[self.stage].order):
            self.stage, self.begun, self.done = self.stage + 1, False, 0

    def _undo(self) -> None:
        if not self.begun:
            self.stage, self.begun = self.stage - 1, True
            self.done = len(self.stages[self.stage].order)
        self.done -= 1

    def _behind(self) -> list[Question]:
        """All questions before the one that is asked."""
        whole = [_question(stage, n) for stage in self.stages[: self.stage] for n in range(len(stage.order))]
        return [*whole, *(_question(self.stages[self.stage], n) for n in range(self.done))] if self.done else whole


def event_of(question: Question, answer: Answer, seconds: float, at: str) -> dict[str, Any]:
    """An answer as a line of a log."""
    asked = {"episode": question.episode, "step": question.step, "place": question.place}
    return {"event": ANSWER, **asked, "answer": plain_answer(answer), "seconds": seconds, "at": at}


def plain_answer(answer: Answer) -> dict[str, Any]:
    """An answer of a person as JSON."""
    return {"label": answer.label, "marks": [vars(mark) for mark in answer.marks]}


def answer_of(content: Mapping[str, Any]) -> Answer:
    """Back from it."""
    return Answer(content["label"], tuple(Mark(**mark) for mark in content["marks"]))


def _question(stage: Stage, number: int) -> Question:
    return Question(stage.episode, stage.step, stage.order[number])


def _asked_in(event: Mapping[str, Any]) -> Question:
    return Question(event["episode"], event["step"], event["place"])
