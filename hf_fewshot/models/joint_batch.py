"""Joint episodes (intents and slots) as padded tensors over the vectors of their words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import torch

from hf_fewshot.encoding.tensors import Tensors
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.methods.method import PADDING
from hf_fewshot.models.episode_batch import plain_examples
from hf_fewshot.tasks import joint
from hf_fewshot.tasks.joint import Joint
from hf_fewshot.tasks.labels import OUTSIDE

# How the name of a slot is read out, after the prefix of its tag.
PREFIX_WORDS = {"B": "begin", "I": "inside"}


@dataclass(frozen=True, eq=False)
class SentenceRows(Tensors):
    """Sentences over the vectors of their words, which are known by their rows (see `Sentences`)."""

    rows: torch.Tensor  # (episodes, sentences, words); queries of pairs have (episodes, 1, support, words)
    lengths: torch.Tensor  # (episodes, sentences)
    tags: torch.Tensor  # (episodes, sentences, words)
    intents: torch.Tensor  # (episodes, sentences)


@dataclass(frozen=True, eq=False)
class NameRows(Tensors):
    """The names of labels over the vectors of their words."""

    rows: torch.Tensor  # (episodes, labels, words)
    lengths: torch.Tensor  # (episodes, labels)


@dataclass(frozen=True, eq=False)
class JointBatch(Tensors):
    """Joint episodes over the vectors of all their words; without `tag_names` and `intent_names` none are read."""

    support: SentenceRows
    query: SentenceRows
    n_intents: int
    n_tags: int
    tag_names: NameRows | None = None
    intent_names: NameRows | None = None

    def compact(self) -> tuple[Self, np.ndarray]:
        """The same over only the rows that are used, and these rows."""
        parts = {name: part for name, part in vars(self).items() if isinstance(part, SentenceRows | NameRows)}
        rows = {name: part.rows.numpy() for name, part in parts.items()}
        used, places = np.unique(np.concatenate([own.ravel() for own in rows.values()]), return_inverse=True)
        ends = np.cumsum([own.size for own in rows.values()])[:-1]
        moved: dict[str, Any] = {
            name: replace(parts[name], rows=torch.from_numpy(part.reshape(rows[name].shape)))
            for name, part in zip(rows, np.split(places, ends), strict=True)
        }
        return replace(self, **moved), used


class JointBatcher:
    """Knows the tags and intents of all examples of a set, and puts episodes together.

    The tags of an episode are O, then B and I of each of its slots; its intents are in the order of its classes.
    With names, the words of tags and intents are further examples, numbered after those of the set.
    """

    def __init__(self, episodes: EpisodeSet, with_names: bool = False) -> None:
        if not isinstance(episodes.kind, Joint):
            raise ValueError(f"Expected joint episodes (intents and slots), got episodes of task {episodes.task!r}.")
        tags, intents = episodes.examples["slot_tags"][:], episodes.examples["intent"][:]
        tokens = episodes.examples["tokens"][:]
        for row, (own, words) in enumerate(zip(tags, tokens, strict=True)):
            if len(own) != len(words):
                raise ValueError(
                    f"Example {episodes.example_ids[row]!r} has {len(words)} words but {len(own)} tags. "
                    "Give every word a tag."
                )
        self.tag_number = {name: i for i, name in enumerate(sorted({tag for own in tags for tag in own}))}
        self.intent_number = {name: i for i, name in enumerate(sorted(set(intents)))}
        self.examples = episodes.examples
        self.names: dict[str, int] = {}
        if with_names:
            labels = sorted({*self.tag_number, *self.intent_number})
            # Episodes ask for both tags of a slot, and for O, also where no example has them.
            slots = [tag[2:] for tag in self.tag_number if tag != OUTSIDE]
            both = {OUTSIDE, *(f"{prefix}-{slot}" for slot in slots for prefix in PREFIX_WORDS)}
            self.names = {name: len(tags) + i for i, name in enumerate([*labels, *sorted(both - {*labels})])}
        lengths = [*map(len, tags), *(len(name_words(name)) for name in self.names)]
        self.lengths = np.array(lengths, dtype=np.int64)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.tags = np.array([self.tag_number[tag] for own in tags for tag in own], dtype=np.int64)
        self.intents = np.array([self.intent_number[name] for name in intents], dtype=np.int64)

    def __call__(self, episodes: Sequence[Episode], starts: np.ndarray | None = None) -> JointBatch:
        """Some episodes; `starts` says where the vectors of each example's words begin."""
        starts = self.starts if starts is None else starts
        tags, intents = ([labels_of(episode) for episode in episodes] for labels_of in (tags_of, intents_of))
        return JointBatch(
            support=self._sentences(episodes, [list(episode.support) for episode in episodes], starts),
            query=self._sentences(episodes, [list(episode.query) for episode in episodes], starts),
            n_intents=max(map(len, intents)),
            n_tags=max(map(len, tags)),
            tag_names=self._names(tags, starts) if self.names else None,
            intent_names=self._names(intents, starts) if self.names else None,
        )

    def _sentences(self, episodes: Sequence[Episode], members: list[list[int]], starts: np.ndarray) -> SentenceRows:
        """The supports or the queries of episodes, by number."""
        size = max(map(len, members))
        longest = max(int(self.lengths[own].max(initial=1)) for own in members)
        rows = np.zeros((len(episodes), size, longest), dtype=np.int64)
        lengths = np.zeros((len(episodes), size), dtype=np.int64)
        tags, intents = np.full_like(rows, PADDING), np.full_like(lengths, PADDING)
        for number, (episode, own) in enumerate(zip(episodes, members, strict=True)):
            lengths[number, : len(own)] = self.lengths[own]
            inside = np.arange(longest) < lengths[number, : len(own), None]
            offsets = np.broadcast_to(np.arange(longest), inside.shape)
            first = np.broadcast_to(np.array(own, dtype=np.int64)[:, None], inside.shape)[inside]
            rows[number, : len(own)][inside] = starts[first] + offsets[inside]
            tags[number, : len(own)][inside] = self._map(self.tag_number, tags_of(episode))[
                self.tags[self.starts[first] + offsets[inside]]
            ]
            intents[number, : len(own)] = self._map(self.intent_number, intents_of(episode))[self.intents[own]]
        return SentenceRows(*map(torch.from_numpy, (rows, lengths, tags, intents)))

    def used(self, episodes: Iterable[Episode]) -> list[int]:
        """The numbers of all examples that episodes need, names included."""
        members: set[int] = set()
        for own in episodes:
            members.update(own.support, own.query)
            if self.names:
                members.update(map(self._name, (*tags_of(own), *intents_of(own))))
        return sorted(members)

    def sentences(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """The words of examples, by number."""
        n_examples = len(self.examples)
        spoken = {number: name for name, number in self.names.items()}
        rows = plain_examples(self.examples, [n for n in numbers if n < n_examples])
        plain = [{"id": row["id"], "tokens": row["tokens"]} for row in rows]
        return plain + [{"id": spoken[n], "tokens": name_words(spoken[n])} for n in numbers if n >= n_examples]

    def _names(self, labels: list[list[str]], starts: np.ndarray) -> NameRows:
        """The names of each episode's labels."""
        numbers = [np.array([self._name(label) for label in own], dtype=np.int64) for own in labels]
        longest = max(int(self.lengths[own].max(initial=1)) for own in numbers)
        rows = np.zeros((len(labels), max(map(len, labels)), longest), dtype=np.int64)
        lengths = np.zeros(rows.shape[:2], dtype=np.int64)
        for episode, own in enumerate(numbers):
            lengths[episode, : len(own)] = self.lengths[own]
            # Positions beyond a name's words are not read.
            rows[episode, : len(own)] = starts[own][:, None] + np.minimum(
                np.arange(longest), self.lengths[own][:, None] - 1
            )
        return NameRows(torch.from_numpy(rows), torch.from_numpy(lengths))

    def _name(self, label: str) -> int:
        """The number of a label's name. What no example has is without support, and its name is never compared."""
        return self.names.get(label, self.names[OUTSIDE])

    @staticmethod
    def _map(numbers: dict[str, int], classes: Sequence[str]) -> np.ndarray:
        """From numbers of the table to those of an episode; PADDING for what it does not have."""
        mapped = np.full(len(numbers), PADDING, dtype=np.int64)
        for position, name in enumerate(classes):
            if name in numbers:
                mapped[numbers[name]] = position
        return mapped


def intents_of(episode: Episode) -> list[str]:
    """The intents of an episode, in the order of their scores."""
    return joint.intents_of(episode.classes)


def tags_of(episode: Episode) -> list[str]:
    """The tags of an episode, in the order of their scores."""
    slots = joint.slots_of(episode.classes)
    return [OUTSIDE, *(f"{prefix}-{slot}" for slot in slots for prefix in PREFIX_WORDS)]


def name_words(label: str) -> list[str]:
    """A label as words: `B-destTemper_unit` as begin dest temper unit."""
    if label == OUTSIDE:
        return ["other"]
    prefix, hyphen, rest = label.partition("-")
    spoken = [PREFIX_WORDS[prefix]] if hyphen and prefix in PREFIX_WORDS else []
    plain = rest if spoken else label
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", plain)
    return [*spoken, *(word.lower() for word in words)] or [label]
