"""What the requests of a service ask of its learner."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Prediction:
    """Queries of one request; the result is their answers.

    Args:
        nearest: how many examples each answer names as its reason.
        characters: of all queries.
    """

    queries: list[Any]
    nearest: int
    characters: int
    result: Future[list[dict[str, Any]]] = field(default_factory=Future)

    def __len__(self) -> int:
        return len(self.queries)


@dataclass(eq=False)
class Addition:
    """Labelled examples of one request; the result is the names of all classes afterwards."""

    examples: list[Any]
    result: Future[list[str]] = field(default_factory=Future)

    def __len__(self) -> int:
        return len(self.examples)


Job = Prediction | Addition
