"""Forms, answers and states as the page gets them."""

import hashlib
import hmac
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from hf_fewshot.labelled.words import split_words
from hf_fewshot.people.annotator import Annotator, Question, plain_answer
from hf_fewshot.people.assignment import ANNOTATION, Stage
from hf_fewshot.people.descriptions import Descriptions
from hf_fewshot.people.questions import Questions
from hf_fewshot.tasks.form import Answer, Form, Part
from hf_fewshot.tasks.tags import joiner
from hf_fewshot.text.visible import visible

START, DONE = "start", "done"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LINES = "\n\r\t"
KEPT = 500  # questions as they are shown


class Wire:
    """What annotators are shown of the questions of a study.

    Args:
        questions: the episodes as forms.
        descriptions: what people are told.
        secret: of the ids of items: whoever has it not can tell nothing from them.
    """

    def __init__(self, questions: Questions, descriptions: Descriptions, secret: str) -> None:
        self.questions = questions
        self.descriptions = descriptions
        self._secret = bytes.fromhex(secret)
        # Support examples stand in every reply, to all annotators.
        self._form = lru_cache(maxsize=KEPT)(lambda question: plain_form(questions.form(question)))
        self._right = lru_cache(maxsize=KEPT)(lambda question: plain_right(questions.right(question)))

    def item_id(self, annotator: Annotator, question: Question) -> str:
        """The id of an item, another one for each annotator."""
        named = f"{annotator.number} {question.episode} {question.step} {question.place}"
        return hmac.new(self._secret, named.encode(), hashlib.sha256).hexdigest()[:24]

    def item(self, annotator: Annotator, question: Question) -> dict[str, Any]:
        """What is asked."""
        return {"id": self.item_id(annotator, question), **self._form(question)}

    def state(self, annotator: Annotator) -> dict[str, Any]:
        """All that the page shows."""
        stage, question = annotator.current, annotator.question
        given = None if question is None else annotator.given.get(question)
        return {
            "name": annotator.name,
            "number": annotator.number,
            "step": DONE if stage is None else START if question is None else stage.step,
            "next": stage.step if stage is not None and question is None else None,
            "description": "" if stage is None else self.descriptions.of(stage.episode),
            "progress": progress(annotator, stage),
            "can_undo": annotator.can_undo,
            "examples": [self._learnt(annotator, one) for one in annotator.learnt()],
            "item": None if question is None else self.item(annotator, question),
            "answer": None if given is None else plain_answer(given.answer),
        }

    def _learnt(self, annotator: Annotator, question: Question) -> dict[str, Any]:
        return {"item": self.item(annotator, question), "answer": self._right(question)}


def progress(annotator: Annotator, stage: Stage | None) -> dict[str, int]:
    """How far an annotator is, in the step and in all episodes."""
    episodes = list(dict.fromkeys(one.episode for one in annotator.stages))
    queries = [one for one in annotator.stages if one.step == ANNOTATION]
    over = [one for one in annotator.stages[: annotator.stage] if one.step == ANNOTATION]
    answered = annotator.done if stage is not None and stage.step == ANNOTATION else 0
    return {
        "step_done": annotator.done,
        "step_total": 0 if stage is None else len(stage.order),
        "episode": len(episodes) if stage is None else episodes.index(stage.episode) + 1,
        "episodes": len(episodes),
        "done": sum(len(one.order) for one in over) + answered,
        "total": sum(len(one.order) for one in queries),
    }


def plain_right(answer: Answer) -> dict[str, Any]:
    """A right answer as JSON."""
    return {**plain_answer(answer), "nowhere": [visible(text, keep=LINES) for text in answer.nowhere]}


def plain_form(form: Form) -> dict[str, Any]:
    """A form as JSON."""
    label, marks = None, None
    if form.choice is not None:
        options = [{"value": value, "shown": visible(shown, keep="")} for value, shown in form.choice.options.items()]
        label = {"title": form.choice.title, "options": options}
    if form.marking is not None:
        types = None if form.marking.types is None else list(form.marking.types)
        marks = {"title": form.marking.title, "types": types, "aligned": form.marking.aligned}
    return {
        "parts": [plain_part(part) for part in form.parts],
        "given": [asdict(mark) for mark in form.given],
        "label": label,
        "marks": marks,
    }


def plain_part(part: Part) -> dict[str, Any]:
    """A text with its words. What would hide or move other text is seen as one character that stands for it."""
    text = part.text
    if visible(text, keep=LINES) != text:
        text = "".join(one if visible(one, keep=LINES) == one else REPLACEMENT for one in text)
    words = split_words(text) if part.words is None else part.words
    lang = "zh" if not joiner([text]) else None
    return {"name": part.name, "text": text, "words": [list(word) for word in words], "lang": lang}
