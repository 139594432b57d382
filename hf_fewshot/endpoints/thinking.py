"""How much a model behind an endpoint may think before it answers."""

from dataclasses import dataclass, fields
from typing import Any

from hf_fewshot.episodes.options import require_whole


@dataclass(frozen=True)
class Thinking:
    """Options of reasoning models; they change answers.

    Args:
        reasoning_effort: of an endpoint: such as "none", "low", "medium" or "high"; none: as the server has it.
        reasoning_budget: of an endpoint: the most tokens of thinking, where the server can count them (vLLM, SGLang);
            they are no part of the answer's own.
    """

    reasoning_effort: str | None = None
    reasoning_budget: int | None = None

    def __post_init__(self) -> None:
        if self.reasoning_effort is not None and not self.reasoning_effort.strip():
            raise ValueError(
                "reasoning_effort is empty. Give a word that the server knows, such as low, or leave it out."
            )
        if self.reasoning_budget is not None:
            require_whole(reasoning_budget=self.reasoning_budget)

    @property
    def sent(self) -> dict[str, Any]:
        """What is sent: effort as OpenAI has it, the budget as vLLM and as chat templates (SGLang, Qwen) have it."""
        found: dict[str, Any] = {}
        if self.reasoning_effort is not None:
            found["reasoning_effort"] = self.reasoning_effort
        if self.reasoning_budget is not None:
            found["thinking_token_budget"] = self.reasoning_budget
            found["chat_template_kwargs"] = {"thinking_budget": self.reasoning_budget}
        return found

    @property
    def thinking(self) -> dict[str, Any]:
        """These options alone, as far as they are given."""
        return {one.name: value for one in fields(Thinking) if (value := getattr(self, one.name)) is not None}
