"""A set of episodes over one table of examples."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, overload

from datasets import Dataset

from hf_fewshot.episodes.episode_table import Episode, EpisodeTable
from hf_fewshot.episodes.notebook import episodes_html
from hf_fewshot.tasks import Task, task_of
from hf_fewshot.tasks.schemas import example_features, table_of

__all__ = ["GIVEN", "Episode", "EpisodeSet"]

# The specification of episodes that nobody drew here.
GIVEN = {"episodes": "given"}


@dataclass(frozen=True, repr=False)
class EpisodeSet(Sequence[Episode]):
    """A fixed number of episodes over one examples table.

    `make` gives the episode of an index. A sampler's is a pure function: any index can be made alone, in any process
    and order. Episodes that were gone through are kept in a table of numbers, and not drawn again. `task` names the
    schema of `examples`; `n_shot` is what the set promises of each class (None: nothing).
    """

    task: str
    examples: Dataset
    make: Callable[[int], Episode]
    length: int
    n_shot: int | None = None
    spec: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Episode: ...
    @overload
    def __getitem__(self, index: slice) -> "EpisodeSet": ...
    def __getitem__(self, index: int | slice) -> "Episode | EpisodeSet":
        if isinstance(index, slice):
            numbers = range(self.length)[index]
            return replace(self, make=partial(_numbered, self, numbers), length=len(numbers))
        if not -self.length <= index < self.length:
            raise IndexError(f"episode {index} of a set of {self.length}")
        index %= self.length
        return self._kept(index) if index < len(self._kept) else self.make(index)

    def __repr__(self) -> str:
        about = {"n_shot": self.n_shot, **self.spec}
        told = "".join(f", {name}={value!r}" for name, value in about.items() if value is not None)
        return f"EpisodeSet({self.length:,} episodes, task={self.task!r}, {len(self.examples):,} examples{told})"

    def _repr_html_(self) -> str:
        return episodes_html(self)

    def __iter__(self) -> Iterator[Episode]:
        for index in range(self.length):
            if index < len(self._kept):
                yield self._kept(index)
            else:
                episode = self.make(index)
                self._kept.keep(index, episode)
                yield episode

    @cached_property
    def _kept(self) -> EpisodeTable:
        """The first episodes, as far as somebody went through them."""
        return self.make if isinstance(self.make, EpisodeTable) else EpisodeTable()

    @classmethod
    def from_rows(cls, task: str, rows: Iterable[dict[str, Any]], n_shot: int | None = None) -> "EpisodeSet":
        """The compact form of readable episode rows. Examples with the same id are one example, with one content."""
        table: dict[str, dict[str, Any]] = {}
        number: dict[str, int] = {}
        episodes = EpisodeTable()
        kind = task_of(task)
        for row in rows:
            parts = []
            for part in ("support", "query"):
                for member in row[part]:
                    content = {key: member[key] for key in kind.columns}
                    if member["id"] not in number:
                        number[member["id"]] = len(number)
                        table[member["id"]] = content
                    elif table[member["id"]] != content:
                        raise ValueError(
                            f"Two different examples have the id {member['id']!r}, the second in the {part} set of "
                            f"episode {len(episodes)}. Give each an id of its own."
                        )
                parts.append(tuple(number[member["id"]] for member in row[part]))
            classes, group = kind.classes_of(row)
            episodes.append(Episode(classes, parts[0], parts[1], group))
        examples = table_of(table.values(), example_features(task))
        return cls(task, examples, episodes, len(episodes), n_shot, dict(GIVEN))

    @property
    def is_given(self) -> bool:
        """Whether the episodes were given, as released ones are; else they are sampled from the examples."""
        return self.spec == GIVEN

    @property
    def kind(self) -> Task:
        """The task as a type."""
        return task_of(self.task)

    @cached_property
    def example_ids(self) -> list[str]:
        """The ids of the examples, in row order."""
        return list(self.examples["id"])

    def row(self, index: int) -> dict[str, Any]:
        """The episode as a self-contained, readable row (see `schemas.episode_features`)."""
        episode = self[index]
        row: dict[str, Any] = {"index": index % self.length, **self.kind.head(episode)}
        row["support"] = self._members(episode, episode.support)
        row["query"] = self._members(episode, episode.query)
        return row

    def rows(self) -> Iterator[dict[str, Any]]:
        """All episodes as readable rows."""
        return (self.row(index) for index in range(self.length))

    def _members(self, episode: Episode, positions: tuple[int, ...]) -> list[dict[str, Any]]:
        members = [dict(self.plain_examples[position]) for position in positions]
        return self.kind.members(members, episode.classes)

    @cached_property
    def plain_examples(self) -> list[dict[str, Any]]:
        """The rows of the examples table."""
        # One conversion of the whole table is far cheaper than one Arrow look-up per member of each episode.
        return self.examples.to_list()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over classes and example ids of all episodes: the same wherever the same set is made."""
        ids = self.example_ids
        digest = hashlib.sha256()
        for episode in self:
            members = [[ids[i] for i in episode.support], [ids[i] for i in episode.query]]
            digest.update(json.dumps([episode.classes, members, episode.group], ensure_ascii=False).encode() + b"\n")
        return digest.hexdigest()


def _numbered(whole: EpisodeSet, numbers: range, index: int) -> Episode:
    """An episode of a part of a set, by its number in that part."""
    return whole[numbers[index]]
