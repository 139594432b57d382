"""The desk of a study: what each path answers."""

from collections.abc import Callable
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from hf_fewshot.files.disk_space import DiskFullError
from hf_fewshot.people.annotator import Question
from hf_fewshot.people.assignment import ANNOTATION
from hf_fewshot.people.descriptions import Descriptions
from hf_fewshot.people.names import NoNameError
from hf_fewshot.people.plan import StudyError
from hf_fewshot.people.schemas import AnswerRequest, EmptyRequest, JoinRequest
from hf_fewshot.people.study import FullError, NameTakenError, Study, Taken
from hf_fewshot.people.wire import Wire, plain_right
from hf_fewshot.tasks.form import Answer, FormError
from hf_fewshot.text.short_value import short
from hf_fewshot.web.refusal import Refusal

HEADER = "X-Annotator"


class Desk:
    """Where annotators get their questions and leave their answers; several at once.

    Args:
        study: whose.
        finished: called when somebody is done, or is so no longer.
    """

    def __init__(self, study: Study, finished: Callable[[], None]) -> None:
        self.study = study
        self.finished = finished
        self.descriptions = Descriptions(study.plan, study.questions)
        self.wire = Wire(study.questions, self.descriptions, study.private.secret)

    def about(self) -> Response:
        """What the study is, before anybody joins."""
        episodes = self.study.questions.episodes
        first = episodes[0]
        return JSONResponse(
            {
                "study": self.study.private.public_id,
                "title": self.study.plan.shown_title,
                "task": episodes.task,
                "description": self.descriptions.of(0),
                "shots": 0 if self.study.plan.zero_shots else len(first.support),
                "queries": len(first.query),
                "episodes": len(episodes),
                "may_join": self.study.may_join,
            }
        )

    def join(self, asked: JoinRequest) -> Response:
        """A new annotator."""
        try:
            taken = self.study.join(asked.name)
        except NoNameError as error:
            raise Refusal(422, "a name", short(asked.name), str(error)) from None
        except NameTakenError:
            remedy = "Choose another name; who has it goes on with the personal link."
            raise Refusal(409, "a name that nobody has", short(asked.name), remedy) from None
        except FullError as error:
            raise Refusal(403, "a study with a free place", str(error), "Ask whoever runs the study.") from None
        except DiskFullError as error:
            raise _unwritten(error) from None
        number = taken.annotator.number
        content = {"annotator": self.study.token(number), "name": taken.annotator.name, "number": number}
        return JSONResponse(content, 201)

    def state(self, request: Request) -> Response:
        """How far an annotator is, and what is asked."""
        taken = self._taken(request)
        with taken.lock:
            return JSONResponse(self.wire.state(taken.annotator))

    def begin(self, request: Request, asked: EmptyRequest) -> Response:
        """Begins the step that comes."""
        taken = self._taken(request)
        with taken.lock:
            try:
                taken.begin()
            except StudyError:
                return self._conflict(taken, "a step that is to begin", "one that was begun", "Go on with it.")
            except DiskFullError as error:
                raise _unwritten(error) from None
            return JSONResponse(self.wire.state(taken.annotator))

    def answer(self, request: Request, asked: AnswerRequest) -> Response:
        """Takes an answer: it is on disk when this is answered."""
        taken = self._taken(request)
        answer = asked.answer.answer
        with taken.lock:
            annotator = taken.annotator
            question = annotator.question
            if question is not None and self.wire.item_id(annotator, question) == asked.item:
                self._check(question, answer)
                try:
                    taken.answer(question, answer, asked.seconds)
                except DiskFullError as error:
                    raise _unwritten(error) from None
                if annotator.is_done:
                    self.finished()
            else:
                question = self._answered(taken, asked.item)
                if question is None or annotator.given[question].answer != answer:
                    remedy = "Go on with what is asked now."
                    return self._conflict(taken, "an answer to what is asked", "one to another item", remedy)
            return JSONResponse({**self._judged(question, answer), "state": self.wire.state(annotator)})

    def undo(self, request: Request, asked: EmptyRequest) -> Response:
        """Goes back to the query before."""
        taken = self._taken(request)
        with taken.lock:
            was_done = taken.annotator.is_done
            try:
                taken.undo()
            except StudyError:
                remedy = "Go on; what was learnt and what was finished stays as it is."
                return self._conflict(taken, "an answer that can be taken back", "none", remedy)
            except DiskFullError as error:
                raise _unwritten(error) from None
            if was_done:
                self.finished()
            return JSONResponse(self.wire.state(taken.annotator))

    def _taken(self, request: Request) -> Taken:
        """Who asks."""
        taken = self.study.of_token(request.headers.get(HEADER, ""))
        if taken is None:
            remedy = "Open your personal link, or join the study."
            raise Refusal(401, f"the token of an annotator in the header {HEADER}", "none or another", remedy)
        return taken

    def _check(self, question: Question, answer: Answer) -> None:
        try:
            self.study.questions.prediction(question, answer)
        except FormError as error:
            raise Refusal(422, "an answer that fits the form", str(error), "Mend it and send it again.") from None

    def _answered(self, taken: Taken, item: str) -> Question | None:
        """The question that has the id, if it was answered and is not asked again."""
        annotator = taken.annotator
        found = (one for one in annotator.given if self.wire.item_id(annotator, one) == item)
        question = next(found, None)
        return question if question is not None and annotator.was_asked(question) else None

    def _judged(self, question: Question, answer: Answer) -> dict[str, Any]:
        """Of a support example what is right, of a query nothing."""
        if question.step == ANNOTATION:
            return {"right": None, "matches": None}
        right = self.study.questions.right(question)
        return {"right": plain_right(right), "matches": self.study.questions.is_right(question, answer)}

    def _conflict(self, taken: Taken, expected: str, got: str, remedy: str) -> Response:
        error = {"expected": expected, "got": got, "remedy": remedy}
        return JSONResponse({"error": error, "state": self.wire.state(taken.annotator)}, 409)


def _unwritten(error: DiskFullError) -> Refusal:
    remedy = "It was not kept. Tell whoever runs the study, and send it again."
    return Refusal(507, "room for it on the disk of the study", "a full disk", remedy)
