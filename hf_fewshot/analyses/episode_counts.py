"""What episodes are made of: sizes of support and query sets, and how often classes occur in them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy import sparse

from hf_fewshot.analyses.class_counts import class_counts
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.tasks.labels import NOTA


@dataclass(frozen=True)
class EpisodeCounts:
    """Sums over the episodes of a set.

    Args:
        per_support: by the name of a class, how often one that a support set holds occurs in it: the mean over all
            pairs of a support set and a class of it.
        queries: by class, how many queries have it; only of tasks with one label, NOTA among them.
    """

    n_episodes: int
    n_support: int
    n_query: int
    per_support: dict[str, float]
    queries: dict[str, int]

    @property
    def nota_share(self) -> float | None:
        """The share of queries with none of the classes of their episode, in percent."""
        total = sum(self.queries.values())
        return 100 * self.queries.get(NOTA, 0) / total if total else None

    @property
    def query_shares(self) -> tuple[float, ...]:
        """The share of all queries that each class has where its episode has it, in percent, descending."""
        total = sum(self.queries.values())
        found = sorted((count for name, count in self.queries.items() if name != NOTA), reverse=True)
        return tuple(100 * count / total for count in found)


def episode_counts(episodes: EpisodeSet) -> EpisodeCounts:
    """Counts the sets and classes of all episodes."""
    made = list(episodes)
    task = episodes.kind
    n_examples = len(episodes.examples)
    supports = _members([episode.support for episode in made], n_examples)
    per_support = {}
    for counts in class_counts(task, episodes.examples):
        index = counts.index
        shape = (n_examples, len(index.classes))
        held = sparse.csr_matrix((index.counts, index.class_ids, index.offsets), shape=shape)
        occurrences = supports @ held
        per_support[counts.noun] = float(occurrences.sum() / occurrences.nnz) if occurrences.nnz else 0.0
    queries: Counter[str] = Counter()
    if task.has_none_of_the_above:
        queries.update(chain.from_iterable(references(episodes)))
    n_support, n_query = sum(len(episode.support) for episode in made), sum(len(episode.query) for episode in made)
    return EpisodeCounts(len(made), n_support, n_query, per_support, dict(queries))


def _members(rows: Iterable[tuple[int, ...]], n_examples: int) -> sparse.csr_matrix:
    """Which example is how often in which set: (sets, examples)."""
    rows = list(rows)
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(ends[-1]))
    return sparse.csr_matrix((np.ones(len(columns), dtype=np.int64), columns, ends), shape=(len(rows), n_examples))
