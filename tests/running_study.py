"""A study on a port of this machine, in a thread of the test, and annotators who answer by script."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from hf_fewshot.people.annotator import Question, plain_answer
from hf_fewshot.people.application import application
from hf_fewshot.people.assignment import ANNOTATION, stages_of
from hf_fewshot.people.opening import open_study
from hf_fewshot.people.plan import Plan
from hf_fewshot.people.scribe import Scribe
from hf_fewshot.people.study import Study, claimed_study
from hf_fewshot.people.wire import Wire
from hf_fewshot.web.server import bound_socket, server, url_of
from tests.running_service import wait_until


class RunningStudy:
    """Where it is, and the study behind it."""

    def __init__(self, study: Study, url: str) -> None:
        self.study = study
        self.url = url
        self.replies: list[Any] = []

    @contextmanager
    def annotator(self, name: str) -> Iterator["ScriptedAnnotator"]:
        """Somebody new."""
        with httpx.Client(base_url=self.url, timeout=30) as client:
            made = client.post("/api/annotators", json={"name": name})
            assert made.status_code == 201, made.text
            client.headers["X-Annotator"] = made.json()["annotator"]
            yield ScriptedAnnotator(self, client, made.json()["number"])


class ScriptedAnnotator:
    """Somebody who answers as a script says, over HTTP."""

    def __init__(self, running: RunningStudy, client: httpx.Client, number: int) -> None:
        self.running = running
        self.client = client
        self.number = number
        study = running.study
        wire = Wire(study.questions, None, study.private.secret)
        stages = stages_of(study.plan, number, study.questions.episodes)
        asked = [Question(one.episode, one.step, place) for one in stages for place in one.order]
        annotator = study.taken[number].annotator
        self.questions = {wire.item_id(annotator, one): one for one in asked}

    def state(self) -> dict[str, Any]:
        """How far it is."""
        return self._kept(self.client.get("/api/state"))

    def begin(self) -> dict[str, Any]:
        """Begins the step that comes."""
        return self._kept(self.client.post("/api/begin", json={}))

    def undo(self) -> dict[str, Any]:
        """Takes the last answer back."""
        return self._kept(self.client.post("/api/undo", json={}))

    def answer(self, item: str, answer: dict[str, Any], seconds: float = 1.0) -> dict[str, Any]:
        """Answers an item."""
        return self._kept(self.client.post("/api/answers", json={"item": item, "answer": answer, "seconds": seconds}))

    def right(self, question: Question) -> dict[str, Any]:
        """What is right of a support example."""
        return plain_answer(self.running.study.questions.right(question))

    def answer_all(self, predictions: list[list[Any]]) -> None:
        """Goes through everything: the training as is right, the queries as predicted."""
        questions = self.running.study.questions
        state = self.state()
        while state["step"] != "done":
            if state["step"] == "start":
                state = self.begin()
                continue
            question = self.questions[state["item"]["id"]]
            if question.step == ANNOTATION:
                wanted = plain_answer(questions.answer(question, predictions[question.episode][question.place]))
            else:
                wanted = self.right(question)
            state = self.answer(state["item"]["id"], wanted)["state"]

    def _kept(self, response: httpx.Response) -> Any:
        assert response.status_code == 200, response.text
        self.running.replies.append(response.json())
        return response.json()


@contextmanager
def running_study(
    folder: Path, plan: Plan, *, key: str | None = None, source: dict[str, Any] | None = None
) -> Iterator[RunningStudy]:
    """Serves a study until the block ends; then its records are written."""
    with bound_socket("127.0.0.1", 0) as bound, claimed_study(folder):
        study = open_study(folder, plan, {}, source or {})
        with Scribe(study, "hf-fewshot annotate", lambda summary: None) as scribe:
            uvicorn = server(application(study, scribe.call, key=key), 5)
            thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [bound]})
            thread.start()
            try:
                wait_until(lambda: uvicorn.started)
                yield RunningStudy(study, url_of(bound))
            finally:
                uvicorn.should_exit = True
                thread.join(30)
                assert not thread.is_alive()
        study.close()
