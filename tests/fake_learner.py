"""A learner that knows no model: it answers by the first word of a text, and can be held, slow or wrong."""

import threading
import time
from typing import Any

from hf_fewshot.tasks import task_of


class FakeLearner:
    """Has what a service needs of `FewShotLearner`.

    A text's label is its first word, if that is a class, else the first class. Attributes:
        calls: the queries of every call of `answers`.
        running: cleared, it holds every call of `answers` and `add_examples` until it is set.
        at_work: set while a call waits or works.
        seconds: that a call takes.
        broken: a text that `check` does not find and that makes `answers` fail.
    """

    def __init__(self, *classes: str, task: str = "classification", seconds: float = 0.0, broken: str = "!") -> None:
        self.task = task_of(task)
        self.classes = classes or ("yes", "no")
        self.seconds = seconds
        self.broken = broken
        self.calls: list[list[Any]] = []
        self.examples: list[Any] = []
        self.running = threading.Event()
        self.running.set()
        self.at_work = threading.Event()
        self._inside = threading.Lock()

    @classmethod
    def from_pretrained(cls, name: str) -> "FakeLearner":
        """Loads nothing."""
        if name == "nothing":
            raise ValueError("Expected the folder of a learner, got 'nothing'.")
        return cls()

    def check(self, query: Any) -> None:
        """Only texts that are not empty."""
        if not isinstance(query, str) or not query.strip():
            raise ValueError(f"Expected a text that is not empty, got {query!r}. Send one.")

    def answers(self, queries: list[Any], nearest: int = 0) -> list[dict[str, Any]]:
        """The first words, whose scores are the numbers behind them."""
        with self._alone():
            self.calls.append(queries)
            if self.broken in queries:
                raise RuntimeError("the model cannot answer this")
            found = [self._answer(query) for query in queries]
        reasons = [{"text": one["text"], "label": one["label"], "similarity": 1.0} for one in self.examples[:nearest]]
        return [{**answer, "nearest": reasons} if nearest else answer for answer in found]

    def add_examples(self, examples: list[Any]) -> "FakeLearner":
        """Only rows with a text and a label; new labels are new classes."""
        with self._alone():
            for example in examples:
                if set(example) != {"text", "label"}:
                    raise ValueError(f"Expected text and label, got {sorted(example)}.")
            self.examples += examples
            self.classes = (*self.classes, *sorted({one["label"] for one in examples} - set(self.classes)))
        return self

    def _answer(self, query: str) -> dict[str, Any]:
        label, _, rest = query.partition(" ")
        score = float(rest) if rest.replace(".", "").isdecimal() or rest == "nan" else 1.0
        return {"label": label if label in self.classes else self.classes[0], "score": score}

    def _alone(self) -> Any:
        learner = self

        class Alone:
            def __enter__(self) -> None:
                assert learner._inside.acquire(blocking=False), "two calls at once"
                learner.at_work.set()
                assert learner.running.wait(30)
                time.sleep(learner.seconds)

            def __exit__(self, *_: object) -> None:
                learner.at_work.clear()
                learner._inside.release()

        return Alone()
