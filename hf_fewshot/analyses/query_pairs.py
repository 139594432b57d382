"""Queries of relation episodes beside support instances of classes, as arrays."""

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references


@dataclass(frozen=True)
class QueryPairs:
    """Pairs of a query and a support instance.

    Args:
        query: of each pair, the number of its query among those that have pairs (pairs,).
        query_row: its row in the table of examples (pairs,).
        support_row: that of the support instance (pairs,).
        episodes: of each query, the number of its episode (queries,).
        hits: of each query, whether its prediction is right (queries,).
    """

    query: np.ndarray
    query_row: np.ndarray
    support_row: np.ndarray
    episodes: np.ndarray
    hits: np.ndarray

    def per_query(self, values: np.ndarray) -> np.ndarray:
        """The mean over the pairs of each query: (queries,)."""
        size = len(self.hits)
        return np.bincount(self.query, values, minlength=size) / np.bincount(self.query, minlength=size)

    @property
    def row(self) -> np.ndarray:
        """The row of each query in the table of examples (queries,)."""
        rows = np.zeros(len(self.hits), dtype=np.int64)
        rows[self.query] = self.query_row
        return rows


@dataclass(frozen=True)
class Compared:
    """Predicted relation episodes, and what their instances have in common."""

    episodes: EpisodeSet
    predictions: Sequence[Sequence[Any]]

    @cached_property
    def _labels(self) -> list[str]:
        """The class of each example."""
        return [self.episodes.kind.label(row) for row in self.episodes.plain_examples]

    def with_right_class(self) -> QueryPairs:
        """Each query that has a class of its episode, beside the support instances of that class."""
        return self._pairs(lambda right, predicted, classes: [right])

    def with_wrong_class(self) -> QueryPairs:
        """Each query that was given a class that it has not, beside the support instances of that class."""
        return self._pairs(lambda right, predicted, classes: {predicted} - {right})

    def with_passed_over_classes(self) -> QueryPairs:
        """The same queries beside the support instances of all classes that are neither predicted nor right."""

        def passed_over(right: str, predicted: str, classes: Sequence[str]) -> Collection[str]:
            return {*classes} - {right, predicted} if predicted != right and predicted in classes else ()

        return self._pairs(passed_over)

    def _pairs(self, choose: Callable[[str, str, Sequence[str]], Collection[str]]) -> QueryPairs:
        """Queries beside the support instances of what is chosen by right and predicted class and those there are."""
        pairs, queries = array("q"), array("q")  # of three and of two numbers, one after the other
        labels, gold = self._labels, references(self.episodes)
        for index, (episode, right, predicted) in enumerate(zip(self.episodes, gold, self.predictions, strict=True)):
            for row, one, other in zip(episode.query, right, predicted, strict=True):
                chosen = choose(one, other, episode.classes)
                own = [support for support in episode.support if labels[support] in chosen]
                if own:
                    for support in own:
                        pairs.extend((len(queries) // 2, row, support))
                    queries.extend((index, one == other))
        query, query_row, support_row = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        episodes, hits = np.array(queries, dtype=np.int64).reshape(-1, 2).T
        return QueryPairs(query, query_row, support_row, episodes, hits.astype(bool))

    @cached_property
    def head_is_first(self) -> np.ndarray:
        """Whether the head stands before the tail (examples,)."""
        starts = [[row[side]["mentions"][0]["start"] for side in ("head", "tail")] for row in self._rows]
        found = np.array(starts, dtype=np.int64).reshape(-1, 2)
        return found[:, 0] < found[:, 1]

    @cached_property
    def type_pairs(self) -> np.ndarray:
        """The ordered pair of entity types of each example as a number; -1 where one is not known (examples,)."""
        pairs = [(row["head"]["type"], row["tail"]["type"]) for row in self._rows]
        number = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([number[pair] if all(pair) else -1 for pair in pairs], dtype=np.int64)

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return self.episodes.plain_examples

    @cached_property
    def _words(self) -> sparse.csr_matrix:
        """Which example has which word in lower case: (examples, words)."""
        words = [sorted({word.lower() for word in self.episodes.kind.words(row)}) for row in self._rows]
        number = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(words)))}
        ends = np.cumsum([0, *map(len, words)])
        columns = np.fromiter((number[one] for own in words for one in own), dtype=np.int64, count=int(ends[-1]))
        shape = (len(words), max(len(number), 1))
        return sparse.csr_matrix((np.ones(len(columns), dtype=np.int64), columns, ends), shape=shape)

    def overlaps(self, pairs: QueryPairs) -> np.ndarray:
        """The Jaccard overlap of the words of each pair: common ones over all of both (pairs,)."""
        words = self._words
        sizes = np.diff(words.indptr)
        common = np.asarray(words[pairs.query_row].multiply(words[pairs.support_row]).sum(axis=1)).reshape(-1)
        return common / (sizes[pairs.query_row] + sizes[pairs.support_row] - common)
