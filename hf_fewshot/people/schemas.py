"""What the page sends."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from hf_fewshot.tasks.form import Answer, Mark

MAX_MARKS = 500
Text = Annotated[str, Field(max_length=1000)]
Number = Annotated[int, Field(ge=0, le=10**7)]


class Strict(BaseModel):
    """Nothing but its fields, of their types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class JoinRequest(Strict):
    """Somebody who wants to be asked."""

    name: Text


class EmptyRequest(Strict):
    """Nothing to say."""


class MarkSent(Strict):
    """A marked span."""

    part: Number
    start: Number
    end: Number
    label: Text | None = None


class AnswerSent(Strict):
    """A filled form."""

    label: Text | None = None
    marks: list[MarkSent] = Field(default_factory=list, max_length=MAX_MARKS)

    @property
    def answer(self) -> Answer:
        """As the study keeps it."""
        return Answer(self.label, tuple(Mark(**mark.model_dump()) for mark in self.marks))


class AnswerRequest(Strict):
    """An answer to an item, and how long it took."""

    item: Text
    answer: AnswerSent
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
