"""The prompts of one episode: instruction, demonstrations, query."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateError

Message = dict[str, str]


@dataclass(frozen=True)
class Demonstration:
    """A labelled example in words. `label` decides what is dropped first; it is empty where there are no labels."""

    query: str
    answer: str
    label: str = ""


@dataclass(frozen=True)
class Prompts:
    """Prompts that begin alike; a query is added at the end. `kept` names the demonstrations that are shown.

    `system` is what a model is told before the instruction, in a turn of its own where there are turns.
    """

    instruction: str
    demonstrations: tuple[Demonstration, ...]
    separator: str = "\n\n"
    system: str = ""

    def prefix(self, kept: Sequence[int]) -> str:
        """What all prompts have in common, as plain text."""
        shown = [f"{self.demonstrations[i].query} {self.demonstrations[i].answer}" for i in kept]
        return "".join(part + self.separator for part in (self.system, self.instruction, *shown) if part)

    def messages(self, kept: Sequence[int], query: str | None = None) -> list[Message]:
        """The same as a conversation. The instruction opens the first turn: not all models know system messages."""
        turns: list[Message] = []
        for i in kept:
            turns.append({"role": "user", "content": self.demonstrations[i].query})
            turns.append({"role": "assistant", "content": self.demonstrations[i].answer})
        if query is not None:
            turns.append({"role": "user", "content": query})
        if self.instruction and turns:
            turns[0]["content"] = f"{self.instruction}{self.separator}{turns[0]['content']}"
        return [{"role": "system", "content": self.system}, *turns] if self.system else turns

    def drop_order(self) -> list[int]:
        """In which order demonstrations are dropped when the prompt is too long.

        Next to go is the first demonstration of the label that has most of them left. Without labels that is simply
        the first: the one farthest from the query.
        """
        left: dict[str, list[int]] = {}
        for number, one in enumerate(self.demonstrations):
            left.setdefault(one.label, []).append(number)
        order: list[int] = []
        while any(left.values()):
            most = max(map(len, left.values()))
            order.append(min(numbers[0] for numbers in left.values() if len(numbers) == most))
            left[self.demonstrations[order[-1]].label].pop(0)
        return order


def chat_texts(tokenizer: Any, prompts: Prompts, kept: Sequence[int], queries: Sequence[str]) -> tuple[str, list[str]]:
    """The prompts by the tokenizer's chat template: what they have in common, and each of them."""
    if not tokenizer.chat_template:
        raise ValueError("chat=True, but the tokenizer has no chat template. Use chat=False or another model.")
    try:
        shared = tokenizer.apply_chat_template(prompts.messages(kept), tokenize=False) if kept else ""
        texts = [
            tokenizer.apply_chat_template(prompts.messages(kept, query), tokenize=False, add_generation_prompt=True)
            for query in queries
        ]
    except TemplateError as error:
        remedy = "Leave out the system message" if prompts.system else "Use chat=False"
        raise ValueError(
            f"The chat template of the tokenizer takes no such conversation: {error}. {remedy}."
        ) from None
    # Some templates write earlier turns differently once there are later ones; then nothing is shared.
    return (shared if all(text.startswith(shared) for text in texts) else ""), texts
