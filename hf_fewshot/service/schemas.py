"""Requests and responses as OpenAPI describes them."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Query = str | dict[str, Any]


def _query_or_queries(value: Any) -> Any:
    """Says what is wrong in one sentence, where a union of types would say it once for each."""
    if isinstance(value, list) and not value:
        raise ValueError("a text, or a list of at least one")
    for number, one in enumerate(value if isinstance(value, list) else [value]):
        if not isinstance(one, str | dict):
            where = f" (in place {number})" if isinstance(value, list) else ""
            raise ValueError(f"a text, or an object with a text and its parts{where}")
    return value


class Strict(BaseModel):
    """A request: nothing but its fields, of their types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PredictRequest(Strict):
    """Queries to be answered."""

    inputs: Annotated[
        Query | list[Query],
        BeforeValidator(_query_or_queries),
        Field(
            description="A query or a list of them. A query is a text; for relations an object with the text and the "
            "character offsets of both entities.",
            examples=[["Where is my card?"]],
        ),
    ]
    nearest: int = Field(0, ge=0, description="How many examples each answer names as its reason.")

    @property
    def queries(self) -> list[Query]:
        """The queries as a list."""
        return self.inputs if isinstance(self.inputs, list) else [self.inputs]


class PredictResponse(BaseModel):
    """What was answered."""

    answers: list[dict[str, Any]] = Field(
        description="One answer per query, in their order: label and score of a text or relation, entities with "
        "character offsets, or intent and slots."
    )


class ExamplesRequest(Strict):
    """Labelled examples to be learned."""

    examples: list[dict[str, Any]] = Field(
        min_length=1,
        description="Rows in the columns of the model's task.",
        examples=[[{"text": "My card has not come", "label": "card_arrival"}]],
    )


class ExamplesResponse(BaseModel):
    """What was learned."""

    added: int = Field(description="How many examples were added.")
    classes: list[str] = Field(description="All classes that the model knows now.")


class HealthResponse(BaseModel):
    """Whether requests are answered."""

    status: str = Field(description='"ready", or "ending" with the status code 503.')


class ModelResponse(BaseModel):
    """What is served."""

    model: str
    task: str
    classes: list[str]
    columns: list[str] = Field(description="Of an example.")
    examples_added: int = Field(description="Since the service was started.")
    allows_examples: bool
    limits: dict[str, float]
    versions: dict[str, str]


class Reason(BaseModel):
    """Why a request was not answered."""

    expected: str
    got: str
    remedy: str
    request_id: str


class ErrorResponse(BaseModel):
    """The body of every response that is no success."""

    error: Reason
