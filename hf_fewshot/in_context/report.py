"""What happened in a run beside its predictions."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Report:
    """Counts over all queries of a run, those of earlier calls included.

    Args:
        n_queries: how many queries there are.
        unparsed: answers not in the form asked for; such a prediction is never right.
        unplaced: entities or slots in parsed answers that the sentence, or the label set, does not have.
        too_long: queries that do not fit the context even without demonstrations.
        refused: queries that an endpoint did not take.
        failed: queries that an endpoint did not answer; there are no predictions then, and the next run asks again.
        shortened: queries for which demonstrations were dropped.
        dropped: demonstrations dropped, over all queries.
        prompt_tokens: tokens of all prompts, the shared ones counted for each query.
        completion_tokens: tokens generated.
        cost: the price of the tokens, where prices are known.
    """

    n_queries: int = 0
    unparsed: int = 0
    unplaced: int = 0
    too_long: int = 0
    refused: int = 0
    failed: int = 0
    shortened: int = 0
    dropped: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    @classmethod
    def of(cls, answers: Iterable[Mapping[str, Any]]) -> "Report":
        """Counts answers as they stand on disk."""
        counts: dict[str, int] = dict.fromkeys(set(asdict(cls())) - {"cost"}, 0)
        for answer in answers:
            counts["n_queries"] += 1
            counts["shortened"] += answer["dropped"] > 0
            for name in ("dropped", "prompt_tokens", "completion_tokens", "unparsed", "unplaced"):
                counts[name] += answer[name]
            if answer["problem"] is not None:
                counts[answer["problem"]] += 1
        return cls(**counts)

    @property
    def counts(self) -> dict[str, int | float]:
        """What belongs into a record; there is none where queries failed."""
        return {name: value for name, value in asdict(self).items() if name != "failed" and value is not None}

    @property
    def trouble(self) -> bool:
        """Whether anything was left out, or did not come out as asked for."""
        lost = self.too_long + self.refused + self.failed
        return lost + self.unparsed + self.unplaced + self.shortened > 0

    def __str__(self) -> str:
        values = {name: value for name, value in asdict(self).items() if value}
        return ", ".join(f"{name} {value}" for name, value in values.items())
