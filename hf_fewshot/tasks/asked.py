"""What a task asks of people."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hf_fewshot.tasks.form import Answer, Form

Example = Mapping[str, Any]


class AskedOfPeople:
    """Examples as forms to be filled, and filled forms as predictions.

    A task that people are to be asked has `told`, `form`, `filled` and `answered`.

    Attributes:
        told: what they are told of it; it may name `episode_fields`.
        marks_measure: the measure by which the marks of two people are compared; "" where nothing is marked.
    """

    name: ClassVar[str]
    told: ClassVar[str] = ""
    marks_measure: ClassVar[str] = ""

    def form(self, example: Example, classes: Sequence[str], words: Mapping[str, str]) -> Form:
        """What is asked about an example, without anything that says what is right.

        Args:
            words: the word of each label, where the answer is one label (see `Task.label_words`).
        """
        raise self._no_form()

    def filled(self, answer: Answer, example: Example, classes: Sequence[str], **scored_by: Any) -> Any:
        """A filled form as a prediction; `scored_by` is what `Task.scored_by` says."""
        raise self._no_form()

    def answered(self, prediction: Any, example: Example, classes: Sequence[str], **scored_by: Any) -> Answer:
        """The form filled with a prediction, or with what is right; FormError where nobody can fill it so."""
        raise self._no_form()

    def is_same(self, prediction: Any, other: Any) -> bool:
        """Whether two predictions say the same."""
        return prediction == other

    def _no_form(self) -> TypeError:
        return TypeError(
            f"Task {self.name!r} cannot be asked of people: its class has no `form`, `filled` and `answered`. Write "
            "them (docs/people.md), or take another benchmark."
        )
