"""Episodes of benchmarks to try a model on: their examples as the page writes them, their queries to ask."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.loading import load_episodes
from hf_fewshot.demo.limits import SENTENCE
from hf_fewshot.demo.shape import Shape, shape_of
from hf_fewshot.demo.sheet import write_line, write_sheet
from hf_fewshot.demo.trial import Answer
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.learning.nearest import text_of
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.labels import NOTA
from hf_fewshot.tasks.tags import joiner, tag_spans

SPLITS = ("test", "validation", "train")
MOST_QUERIES = 30
USUAL_SHOTS = 3


@dataclass(frozen=True)
class EpisodeSource:
    """Episodes of a benchmark.

    Args:
        benchmark: its name.
        config: its configuration; None: the only one.
        options: of its data, and where it is.
    """

    benchmark: str
    config: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the page calls it."""
        whole = self.benchmark if self.config is None else f"{self.benchmark}/{self.config}"
        return f"{whole}, sample data" if self.options.get("sample") else whole


class Expected(NamedTuple):
    """What is right for a query: its class, and its entities as text and type."""

    label: str | None
    entities: tuple[tuple[str, str], ...] | None

    def is_met(self, answer: Answer) -> bool:
        """Whether an answer says the same."""
        if self.label is not None and self.label != (NOTA if answer.is_none else answer.label):
            return False
        found = [(one.text, one.mark.name) for one in answer.entities or ()]
        return self.entities is None or sorted(found) == sorted(self.entities)


class LoadedEpisode(NamedTuple):
    """An episode as the page has it: written examples, queries with what is right, examples that cannot be written."""

    title: str
    sheet: str
    queries: dict[str, Expected]
    left_out: int


def sample_sources(task: Task) -> list[EpisodeSource]:
    """Sample data of all benchmarks of a task, as `hf-fewshot show` shows them; of one's own data, all its labels."""
    found = []
    for name in BENCHMARKS:
        builder = builder_of(name)
        if task.name == builder.TASK:
            options = dict(builder.SHOWN) or {"shots": USUAL_SHOTS}
            config = options.pop("config", None)
            found.append(EpisodeSource(name, config, {**options, "sample": True}))
    return found


def load_episode(source: EpisodeSource, task: Task, index: int, shots: int | None = None) -> LoadedEpisode:
    """An episode by its number from 0; errors name numbers as the page does, from 1."""
    options = {**source.options} if shots is None else {**source.options, "shots": shots}
    episodes = _episodes(source.benchmark, source.config, json.dumps(options, sort_keys=True))
    if not 0 <= index < len(episodes):
        raise ValueError(f"There is no episode {index + 1}: {source.name} has {len(episodes)}. Give a smaller number.")
    episode = episodes[index]
    table, shape = episodes.examples, shape_of(task)
    support = [table[number] for number in episode.support]
    (references,) = task.references(table, [episode])
    rows = [task.with_reference(table[number], one) for number, one in zip(episode.query, references, strict=True)]
    words = task.label_words({}, episode.classes, support, None) or {}
    named = [_renamed(row, shape, words) for row in support]
    kept = [row for row in named if _can_be_written(row, shape)]
    queries: dict[str, Expected] = {}
    for row in (_renamed(row, shape, words) for row in rows):
        if len(queries) < MOST_QUERIES and _can_be_written(row, shape):
            queries.setdefault(*_query(row, shape))
    title = f"{source.name}, episode {index + 1} of {len(episodes)}"
    return LoadedEpisode(title, write_sheet(kept, task), queries, len(named) - len(kept))


@cache
def _episodes(benchmark: str, config: str | None, options: str) -> EpisodeSet:
    split = next(one for one in SPLITS if one in builder_of(benchmark).SPLITS)
    return load_episodes(benchmark, config, split=split, **json.loads(options))


def _renamed(row: Mapping[str, Any], shape: Shape, words: Mapping[str, str]) -> dict[str, Any]:
    """A row whose class has its name in words."""
    if shape.label is None:
        return dict(row)
    label = row[shape.label.name]
    return {**row, shape.label.name: words.get(label, label)}


def _can_be_written(row: Mapping[str, Any], shape: Shape) -> bool:
    """Whether the page takes an example: short enough, and without an entity within another."""
    try:
        return len(write_line(row, shape)) <= SENTENCE
    except ValueError:
        return False


def _query(row: Mapping[str, Any], shape: Shape) -> tuple[str, Expected]:
    label = None if shape.label is None else row[shape.label.name]
    entities = None
    if shape.tags is not None:
        words = row["tokens"]
        spans = tag_spans(row[shape.tags.name])
        entities = tuple((joiner(words).join(words[start:end]), name) for start, end, name in spans)
    return write_line(row, shape) if shape.sides else " ".join(text_of(row).split()), Expected(label, entities)
