"""Episodes as padded tensors over the vectors of their examples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from datasets import Dataset

from hf_fewshot.encoding.tensors import Tensors
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.methods.method import PADDING
from hf_fewshot.models.encoder_model import IGNORED
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import split_tags


@dataclass(frozen=True, eq=False)
class EpisodeBatch(Tensors):
    """Episodes over the vectors of their examples, which are known by their rows."""

    support_rows: torch.Tensor  # (episodes, support); of no use where supports are encoded with queries
    support_labels: torch.Tensor  # (episodes, support) classes, PADDING where there is none
    query_rows: torch.Tensor  # (episodes, query); (episodes, query, support) where both are encoded together
    labels: torch.Tensor | None  # (episodes, query) classes of the queries, IGNORED for padding
    n_classes: int  # of an episode, none-of-the-above not counted


class EpisodeBatcher:
    """Knows the labels of all examples of a set, and puts episodes together.

    With the representation "words" an example has a vector, and a label, per word: class 0 is O, the episode's types
    follow. Else it has one; the class after the last, of the episode with most of them, is none-of-the-above.
    """

    def __init__(self, episodes: EpisodeSet, representation: str) -> None:
        self.by_word = representation == "words"
        self.examples = episodes.examples
        self.task = episodes.kind
        column = self._column(episodes, representation)
        values = episodes.examples[column][:]
        distinct = sorted({tag for tags in values for tag in tags} if self.by_word else set(values))
        types = split_tags(distinct)[0] if self.by_word else distinct
        self.number = {name: i for i, name in enumerate(sorted({*types, OUTSIDE} if self.by_word else set(types)))}
        code = {value: self.number[name] for value, name in zip(distinct, types, strict=True)}
        self.lengths = np.array([len(tags) for tags in values] if self.by_word else [1] * len(values))
        if self.by_word:
            self._require_tag_per_word(episodes)
        self.starts = np.cumsum(self.lengths) - self.lengths
        flat = [code[tag] for tags in values for tag in tags] if self.by_word else [code[value] for value in values]
        self.codes = np.array(flat, dtype=np.int64)

    @staticmethod
    def _column(episodes: EpisodeSet, representation: str) -> str:
        task = episodes.kind
        if len(task.class_columns) > 1:
            raise ValueError("Joint episodes (intents and slots) need a JointModel, got a FewShotModel.")
        if representation not in task.representations:
            wanted = " or ".join(f'"{name}"' for name in task.representations) or "of another kind of model"
            raise ValueError(
                f"Episodes of task {episodes.task!r} need representation={wanted}, got {representation!r}. "
                "Choose a method that has it."
            )
        return task.class_columns[0].name

    def _require_tag_per_word(self, episodes: EpisodeSet) -> None:
        words = np.array([len(tokens) for tokens in episodes.examples["tokens"][:]])
        for row in np.flatnonzero(words != self.lengths)[:1]:
            raise ValueError(
                f"Example {episodes.example_ids[row]!r} has {words[row]} words but {self.lengths[row]} tags. "
                "Give every word a tag."
            )

    def used(self, episodes: Iterable[Episode]) -> list[int]:
        """The numbers of all examples of episodes."""
        return sorted({row for episode in episodes for row in (*episode.support, *episode.query)})

    def sentences(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """The examples of some numbers, with their words."""
        rows = plain_examples(self.examples, numbers)
        return [{"tokens": self.task.words(row), **row} for row in rows]

    def label_map(self, episode: Episode, none: int) -> np.ndarray:
        """From codes of the table to classes of the episode; `none` for what is none of them."""
        mapped = np.full(len(self.number), none)
        shift = 0
        if self.by_word:
            mapped[self.number[OUTSIDE]] = 0
            shift = 1
        for position, name in enumerate(episode.classes):
            if name in self.number:
                mapped[self.number[name]] = position + shift
        return mapped

    def rows(self, examples: Sequence[int], starts: np.ndarray) -> np.ndarray:
        """The vectors of examples, where each example's begin at `starts`."""
        own = [np.arange(starts[e], starts[e] + self.lengths[e]) for e in examples]
        return np.concatenate([np.zeros(0, dtype=np.int64), *own])

    def __call__(self, episodes: Sequence[Episode], starts: np.ndarray | None = None) -> EpisodeBatch:
        """Some episodes; `starts` says where the vectors of each example begin, if not one after the other."""
        starts = self.starts if starts is None else starts
        n_classes = max(len(episode.classes) for episode in episodes) + self.by_word
        support, support_labels, query, labels = [], [], [], []
        for episode in episodes:
            # An entity type that the episode does not ask for stays out of the support set, and is O in the query set.
            own = self.codes[self.rows(episode.support, self.starts)]
            asked = self.codes[self.rows(episode.query, self.starts)]
            support.append(self.rows(episode.support, starts))
            support_labels.append(self.label_map(episode, PADDING)[own])
            query.append(self.rows(episode.query, starts))
            labels.append(self.label_map(episode, 0 if self.by_word else n_classes)[asked])
        return EpisodeBatch(
            support_rows=stack(support, 0),
            support_labels=stack(support_labels, PADDING),
            query_rows=stack(query, 0),
            labels=stack(labels, IGNORED),
            n_classes=n_classes,
        )

    def names(self, episode: Episode, none: str) -> list[str]:
        """The label that each number of a prediction stands for."""
        return [OUTSIDE, *episode.classes] if self.by_word else [*episode.classes, none]


def stack(arrays: list[np.ndarray], padding: int) -> torch.Tensor:
    """Rows of numbers of different lengths as a matrix."""
    longest = max(map(len, arrays))
    stacked = np.full((len(arrays), longest), padding, dtype=np.int64)
    for row, array in enumerate(arrays):
        stacked[row, : len(array)] = array
    return torch.from_numpy(stacked)


def plain_examples(examples: Dataset, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Some rows of a table as dictionaries."""
    # A selection of them would be a data set with a fingerprint of its own, which takes longer than reading them.
    columns = examples.with_format(None)[list(numbers)]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
