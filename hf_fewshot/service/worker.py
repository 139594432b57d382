"""The thread that has the learner to itself: it answers what waits in batches, in the order in which it came."""

import math
import threading
import time
from collections import deque
from itertools import groupby

from hf_fewshot.service.jobs import Addition, Job, Prediction
from hf_fewshot.service.learner import Learner
from hf_fewshot.service.limits import Limits
from hf_fewshot.service.measures import Measures


class QueueFullError(Exception):
    """There is no room for a job.

    Args:
        waiting: how many queries and examples wait.
        seconds: after which there may be room.
    """

    def __init__(self, waiting: int, seconds: int) -> None:
        super().__init__(f"{waiting} queries and examples wait")
        self.waiting = waiting
        self.seconds = seconds


class Worker:
    """Takes jobs into a bounded queue and does them in a thread of its own.

    A batch is what waits when the one before it is done, so batches grow with the load and nobody waits for others to
    come. Examples are added between batches. What raises an error in a batch is tried again request by request, so
    that it fails alone.
    """

    def __init__(self, learner: Learner, limits: Limits, measures: Measures) -> None:
        self.learner = learner
        self.limits = limits
        self.measures = measures
        self._jobs: deque[Job] = deque()
        self._waiting = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="hf_fewshot worker", daemon=True)

    def start(self) -> None:
        """Begins to work."""
        self._thread.start()

    def close(self) -> None:
        """Takes nothing more, does what waits and ends; after the time limit of a request it waits no longer."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(self.limits.seconds)

    @property
    def is_ready(self) -> bool:
        """Whether jobs will be done."""
        return self._thread.is_alive() and not self._closed

    @property
    def waiting(self) -> tuple[int, int]:
        """How many requests wait, and how many queries and examples they have."""
        with self._changed:
            return len(self._jobs), self._waiting

    def submit(self, job: Job) -> None:
        """Puts a job at the end of the queue, or raises QueueFullError."""
        with self._changed:
            if self._waiting + len(job) > self.limits.queue:
                raise QueueFullError(self._waiting, self._seconds_until_room())
            self._jobs.append(job)
            self._waiting += len(job)
            self._changed.notify()

    def drop(self, job: Job) -> bool:
        """Takes a job back that nobody waits for any more; whether it had not begun."""
        with self._changed:
            if job not in self._jobs:
                return False
            self._jobs.remove(job)
            self._waiting -= len(job)
            return True

    def _seconds_until_room(self) -> int:
        done = self.measures.batches.sum + self.measures.examples
        each = self.measures.model_seconds / done if done else 0.0
        return max(1, min(60, math.ceil(each * self._waiting)))

    def _work(self) -> None:
        while batch := self._next():
            began = time.perf_counter()
            if isinstance(batch[0], Addition):
                self._add(batch[0])
            else:
                for _, same in groupby(sorted(batch, key=lambda job: job.nearest), key=lambda job: job.nearest):
                    self._answer(list(same))
            self.measures.model_seconds += time.perf_counter() - began

    def _next(self) -> list[Prediction] | list[Addition]:
        """What is done together: an addition, or predictions up to the size of a batch; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._closed)
            if not self._jobs:
                return []
            if isinstance(first := self._take(), Addition):
                return [first]
            batch, queries, characters = [first], len(first), first.characters
            while self._jobs and isinstance(job := self._jobs[0], Prediction):
                queries, characters = queries + len(job), characters + job.characters
                if queries > self.limits.batch or characters > self.limits.batch_characters:
                    break
                self._take()
                batch.append(job)
            return batch

    def _take(self) -> Job:
        job = self._jobs.popleft()
        self._waiting -= len(job)
        job.result.set_running_or_notify_cancel()  # from here on nobody can cancel it
        return job

    def _answer(self, jobs: list[Prediction]) -> None:
        """Answers jobs that want the same in one call."""
        queries = [query for job in jobs for query in job.queries]
        try:
            answers = self.learner.answers(queries, nearest=jobs[0].nearest)
            if len(answers) != len(queries):
                raise RuntimeError(f"The model gave {len(answers)} answers to {len(queries)} queries.")
        except Exception as error:  # noqa: BLE001 - it belongs to the request that caused it
            if len(jobs) == 1:
                jobs[0].result.set_exception(error)
                return
            for job in jobs:
                self._answer([job])
            return
        self.measures.batches.add(len(queries))
        rest = iter(answers)
        for job in jobs:
            job.result.set_result([next(rest) for _ in job.queries])

    def _add(self, job: Addition) -> None:
        try:
            self.learner.add_examples(job.examples)
            classes = list(self.learner.classes)
        except Exception as error:  # noqa: BLE001 - it belongs to the request that caused it
            job.result.set_exception(error)
            return
        self.measures.examples += len(job)
        job.result.set_result(classes)
