"""A study in its folder: the plan, the annotators with their logs, and what each of them is asked."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.people.annotator import ANSWER, BEGIN, UNDO, Annotator, Question, event_of
from hf_fewshot.people.assignment import stages_of
from hf_fewshot.people.log import Log, read_log
from hf_fewshot.people.names import require_name
from hf_fewshot.people.plan import FILE_NAME as PLAN
from hf_fewshot.people.plan import Plan, StudyError
from hf_fewshot.people.private import FILE_NAME as PRIVATE
from hf_fewshot.people.private import Private
from hf_fewshot.people.questions import Questions
from hf_fewshot.tasks.form import Answer

LOCK = ".lock"
LOGS = "annotators"
JOINED = "joined"


class StudyInUseError(RuntimeError):
    """Another server has the study."""


class Taken:
    """An annotator with the log that everything is written to first."""

    def __init__(self, annotator: Annotator, log: Log) -> None:
        self.annotator = annotator
        self.log = log
        self.lock = threading.RLock()

    def begin(self) -> None:
        """Begins the stage that comes."""
        self._take({"event": BEGIN, "at": _now()})

    def answer(self, question: Question, answer: Answer, seconds: float) -> None:
        """Answers what is asked."""
        self._take(event_of(question, answer, seconds, _now()))

    def undo(self) -> None:
        """Goes back to the query before."""
        self._take({"event": UNDO, "at": _now()})

    def _take(self, event: dict[str, Any]) -> None:
        if not self.annotator.may(event):
            raise StudyError(f"{event['event']!r} cannot come now.")
        self.log.append(event)
        self.annotator.take(event)


class Study:
    """A study that a server has.

    Args:
        folder: of the study.
        plan: what decides who is asked what.
        data: that is asked.
        private: tokens and keys.
    """

    def __init__(self, folder: Path, plan: Plan, data: Data, private: Private) -> None:
        self.folder = folder
        self.plan = plan
        self.data = data
        self.questions = questions = Questions(data.episodes)
        self.private = private
        self.taken: dict[int, Taken] = {}
        self._joining = threading.Lock()
        for annotator in read_annotators(folder, plan, questions):
            self.taken[annotator.number] = Taken(annotator, Log(_log_path(folder, annotator.number)))
        # A token without a log: its annotator never heard of it. A log without one: the file was lost.
        private.tokens = {number: one for number, one in private.tokens.items() if int(number) in self.taken}
        for number in self.taken:
            if str(number) not in private.tokens:
                private.new_token(number)
        private.write(folder)
        for name in plan.names[len(self.taken) :]:
            self.join(name)

    @property
    def may_join(self) -> bool:
        """Whether there is a place for another annotator."""
        return len(self.taken) < self.plan.annotators

    def join(self, name: str) -> Taken:
        """Another annotator; StudyError where the name is taken, or all places are."""
        name = require_name(name)
        with self._joining:
            if any(one.annotator.name.casefold() == name.casefold() for one in self.taken.values()):
                raise NameTakenError(f"The name {name!r} is taken.")
            if not self.may_join:
                raise FullError(f"All {self.plan.annotators} places of the study are taken.")
            number = len(self.taken) + 1
            self.private.new_token(number)
            self.private.write(self.folder)
            log = Log(_log_path(self.folder, number))
            at = _now()
            log.append({"event": JOINED, "number": number, "name": name, "at": at})
            stages = stages_of(self.plan, number, self.questions.episodes)
            taken = self.taken[number] = Taken(Annotator(number, name, stages, at), log)
            return taken

    def token(self, number: int) -> str:
        """Of an annotator."""
        return self.private.tokens[str(number)]

    def of_token(self, token: str) -> Taken | None:
        """The annotator of a token."""
        numbers = {own: int(number) for number, own in self.private.tokens.items()}
        return self.taken.get(numbers.get(token, 0))

    def close(self) -> None:
        """Closes all logs."""
        for taken in self.taken.values():
            taken.log.close()


class NameTakenError(StudyError):
    """Somebody else has the name."""


class FullError(StudyError):
    """There is no place for another annotator."""


def read_annotators(folder: Path, plan: Plan, questions: Questions) -> list[Annotator]:
    """All annotators of a study as far as they are, by their logs."""
    annotators: list[Annotator] = []
    for path in sorted((folder / LOGS).glob("*.jsonl")):
        events = read_log(path)
        if not events:
            continue  # joined, and a crash came before the name was written: nobody was told
        number = len(annotators) + 1
        head, *rest = events
        if head.get("event") != JOINED or head.get("number") != number or path.name != _log_path(folder, number).name:
            raise StudyError(f"{path} is not the log of annotator {number}. Restore the logs of the study.")
        annotator = Annotator(number, str(head["name"]), stages_of(plan, number, questions.episodes), str(head["at"]))
        for place, event in enumerate(rest, start=2):
            try:
                question = annotator.question
                annotator.take(event)
                if question is not None and event["event"] == ANSWER:
                    questions.prediction(question, annotator.given[question].answer)
            except (LookupError, TypeError, ValueError) as error:
                raise StudyError(f"{path}, line {place}, does not follow from those before: {error}.") from error
        annotators.append(annotator)
    return annotators


@contextmanager
def claimed_study(folder: Path) -> Iterator[None]:
    """The folder of a study for one server alone."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StudyInUseError(f"Another server has the study in {folder}. End it first, or use it.") from None
    try:
        yield
    finally:
        lock.release()
        if not (folder / PLAN).exists():  # it was never begun
            (folder / LOCK).unlink(missing_ok=True)
            with suppress(OSError):
                folder.rmdir()


def private_of(folder: Path) -> Private:
    """What is private of a study, new where there is none yet."""
    return Private.read(folder) if (folder / PRIVATE).exists() else Private()


def _log_path(folder: Path, number: int) -> Path:
    return folder / LOGS / f"{number:04}.jsonl"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
