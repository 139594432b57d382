"""What a service needs of a learner."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hf_fewshot.tasks.task import Task


class Learner(Protocol):
    """A fitted model that answers queries; `FewShotLearner` is one.

    `check` reads only, and may be called while another thread is inside of the other methods; those are called by one
    thread.
    """

    @property
    def task(self) -> "Task":
        """What queries and answers look like."""

    @property
    def classes(self) -> Sequence[str]:
        """The names of its classes."""

    def check(self, query: Any) -> None:
        """Raises ValueError that says what is wrong with a query."""

    def answers(self, queries: list[Any], nearest: int = 0) -> list[dict[str, Any]]:
        """One answer per query, as plain JSON."""

    def add_examples(self, examples: list[Any]) -> Any:
        """Learns labelled examples on top of what it knows."""
