"""Which examples of the support set a query is shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from accelerate import Accelerator

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import require_seed, require_whole
from hf_fewshot.in_context.nearness import Nearness, SharedWords, SimilarVectors
from hf_fewshot.model_names import check_model_name
from hf_fewshot.registry import unknown

CHOICES = ("all", "random", "nearest", "bm25")


@dataclass(frozen=True)
class Choice:
    """How demonstrations are chosen.

    Where examples have one label each, all labels are shown equally often, as far as the number allows.

    Args:
        demonstrations: "all"; "random": the same ones for all queries of an episode; "nearest": those whose vectors
            are nearest to the query's (Liu et al. 2022, "What Makes Good In-Context Examples for GPT-3?"); "bm25":
            those that share most of their rare words with it. The nearest stands last.
        n_demonstrations: how many, unless it is all.
        encoder: of "nearest": an encoder of sentences by its embedded name, folder or Hub id.
        seed: of "random".
    """

    demonstrations: str = "all"
    n_demonstrations: int | None = None
    encoder: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.demonstrations not in CHOICES:
            raise unknown("choice of demonstrations", self.demonstrations, CHOICES)
        require_seed(self.seed)
        if self.n_demonstrations is not None:
            require_whole(n_demonstrations=self.n_demonstrations)
        if (self.demonstrations == "all") != (self.n_demonstrations is None):
            remedy = "Give both or neither, such as demonstrations='nearest' and n_demonstrations=8."
            raise ValueError(
                f"demonstrations={self.demonstrations!r}, but n_demonstrations={self.n_demonstrations}. {remedy}"
            )
        if self.demonstrations == "nearest" and self.encoder is None:
            raise ValueError("demonstrations='nearest' needs an encoder. Give one, such as all-MiniLM-L6-v2.")
        if self.demonstrations != "nearest" and self.encoder is not None:
            raise ValueError(
                f"encoder={self.encoder!r} is of demonstrations='nearest', but they are {self.demonstrations!r}. "
                "Leave one of them out."
            )
        if self.encoder is not None:
            check_model_name(self.encoder, "encoder")

    @property
    def is_shared(self) -> bool:
        """Whether all queries of an episode are shown the same demonstrations, so that their prompts begin alike."""
        return self.demonstrations in ("all", "random")


class Demonstrations:
    """Chooses demonstrations for the queries of episodes, by nothing but seed, episode and query."""

    def __init__(self, choice: Choice, episodes: EpisodeSet, examples: Sequence[Mapping[str, Any]]) -> None:
        self.choice = choice
        self.episodes = episodes
        self._nearness: Nearness | None = None
        if choice.demonstrations == "bm25":
            self._nearness = SharedWords(episodes.kind, examples)
        elif choice.encoder is not None:
            self._nearness = SimilarVectors(choice.encoder, episodes.kind, examples)

    def prepare(self, accelerator: Accelerator, progress: bool = False) -> None:
        """Encodes all examples once, where vectors are compared; called in all processes."""
        if self._nearness is not None:
            rows = (row for episode in self.episodes for row in (*episode.support, *episode.query))
            self._nearness.prepare(rows, accelerator, progress)

    def describe(self) -> dict[str, Any]:
        """All that the choice depends on beside the episodes."""
        chosen = {"demonstrations": self.choice.demonstrations, "n_demonstrations": self.choice.n_demonstrations}
        if self.choice.demonstrations == "random":
            chosen["seed"] = self.choice.seed
        return chosen if self._nearness is None else {**chosen, **self._nearness.describe()}

    def chosen(self, episode: int, support: Sequence[int], labels: Sequence[str], query: int) -> list[int]:
        """Places in the support set, in the order in which they are shown.

        Args:
            episode: its number.
            support: the rows of the support set, in the order of the demonstrations.
            labels: of the demonstrations; empty ones where there are none.
            query: its row.
        """
        n = self.choice.n_demonstrations
        if n is None:
            return list(range(len(support)))
        if self._nearness is None:
            order = np.random.default_rng([self.choice.seed, episode]).permutation(len(support))
            return sorted(balanced(order.tolist(), labels, n))
        order = np.argsort(-self._nearness.scores(tuple(support), query), kind="stable")
        return balanced(order.tolist(), labels, n)[::-1]


def balanced(order: Sequence[int], labels: Sequence[str], n: int) -> list[int]:
    """The first `n` places of an order such that no label has two more than another one that could have more."""
    seen: Counter[str] = Counter()
    rounds = []
    for rank, place in enumerate(order):
        rounds.append((seen[labels[place]], rank))
        seen[labels[place]] += 1
    return [order[rank] for rank in sorted(rank for _, rank in sorted(rounds)[:n])]
