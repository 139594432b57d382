"""What happened in a run beside its predictions."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.short_value import short

# How many answers that cannot be read are shown, and how much of each.
SHOWN = 3
LONGEST = 200
# What an answer on disk has a number of; one of an earlier version lacks some.
NUMBERS = (
    "unparsed",
    "unplaced",
    "loosely_read",
    "thinking",
    "cut_off_thinking",
    "cut_off",
    "structured",
    "dropped",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
)


@dataclass(frozen=True)
class Report:
    """Counts over all queries of a run, those of earlier calls included.

    Args:
        n_queries: how many queries there are.
        unparsed: answers that cannot be read; such a prediction is never right.
        loosely_read: answers that were read although they are not in the form asked for.
        unplaced: entities or slots in parsed answers that the sentence, or the label set, does not have.
        too_long: queries that do not fit the context even without demonstrations.
        refused: queries that an endpoint did not take.
        failed: queries that an endpoint did not answer; there are no predictions then, and the next run asks again.
        shortened: queries for which demonstrations were dropped.
        dropped: demonstrations dropped, over all queries.
        structured: answers as the schema of the task allows, where it was sent.
        cut_off: answers that were not finished when they had all tokens they may have.
        thinking: answers before which a model wrote what it thought.
        cut_off_thinking: answers that ended inside these thoughts.
        prompt_tokens: tokens of all prompts, the shared ones counted for each query.
        completion_tokens: tokens generated.
        reasoning_tokens: those of them that were thoughts, where a server says so.
        cost: the price of the tokens, where prices are known.
        unread: the first different answers that cannot be read, made safe to show.
    """

    n_queries: int = 0
    unparsed: int = 0
    loosely_read: int = 0
    unplaced: int = 0
    too_long: int = 0
    refused: int = 0
    failed: int = 0
    shortened: int = 0
    dropped: int = 0
    structured: int = 0
    cut_off: int = 0
    thinking: int = 0
    cut_off_thinking: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None
    unread: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, answers: Iterable[Mapping[str, Any]]) -> "Report":
        """Counts answers as they stand on disk."""
        counts = dict.fromkeys(("n_queries", "shortened", "too_long", "refused", "failed", *NUMBERS), 0)
        unread: list[str] = []
        for answer in answers:
            counts["n_queries"] += 1
            counts["shortened"] += answer["dropped"] > 0
            for name in NUMBERS:
                counts[name] += answer.get(name, 0)
            if answer["problem"] is not None:
                counts[answer["problem"]] += 1
            if answer["unparsed"] and len(unread) < SHOWN:
                shown = short(redacted(answer["text"]), LONGEST)
                unread += [shown] if shown not in unread else []
        return cls(**counts, unread=unread)

    @property
    def counts(self) -> dict[str, int | float]:
        """What belongs into a record; there is none where queries failed."""
        left_out = ("failed", "unread")
        return {name: value for name, value in asdict(self).items() if name not in left_out and value is not None}

    @property
    def trouble(self) -> bool:
        """Whether anything was left out, or did not come out as asked for."""
        lost = self.too_long + self.refused + self.failed + self.cut_off_thinking
        return lost + self.unparsed + self.loosely_read + self.unplaced + self.shortened > 0

    @property
    def examples(self) -> str:
        """The first answers that cannot be read, as a sentence; nothing where there are none."""
        return f"First answers that cannot be read: {', '.join(self.unread)}." if self.unread else ""

    def __str__(self) -> str:
        values = {name: value for name, value in asdict(self).items() if value and name != "unread"}
        return ", ".join(f"{name} {value}" for name, value in values.items())
