"""A system: the class of the support example that has most words in common with the query."""

from dataclasses import dataclass
from typing import Self

from hf_fewshot import EpisodeSet, System
from hf_fewshot.systems.system import Setup
from hf_fewshot.systems.work import Work


@dataclass(frozen=True)
class OverlapOptions:
    """How words are compared.

    Args:
        ignore_case: whether Rain and rain are the same word.
        shortest: words with fewer letters do not count.
    """

    ignore_case: bool = True
    shortest: int = 1

    def __post_init__(self) -> None:
        if self.shortest < 1:
            raise ValueError(f"shortest must be at least 1, but is {self.shortest}.")


class Overlap(System):
    """Counts words; there is nothing to train and no model to load."""

    Options = OverlapOptions

    def __init__(self, options: OverlapOptions) -> None:
        self.chosen = options

    @classmethod
    def fit(cls, work: Work) -> Self:
        return cls(work.options)

    def predict(self, episodes: EpisodeSet, setup: Setup) -> list[list[str]]:
        task, rows = episodes.kind, episodes.plain_examples
        words = [self._words(task.words(row)) for row in rows]
        return [
            [task.label(rows[max(e.support, key=lambda s, q=q: len(words[s] & words[q]))]) for q in e.query]
            for e in episodes
        ]

    def _words(self, words: list[str]) -> set[str]:
        long = [word for word in words if len(word) >= self.chosen.shortest]
        return {word.lower() for word in long} if self.chosen.ignore_case else set(long)
