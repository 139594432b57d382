"""Benchmarks by name: as `datasets` rows, and as compact episodes for the engine."""

from typing import Any

import datasets

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.episodes.episode import EpisodeSet


def load_dataset(name: str, config: str | None = None, **options: Any) -> Any:
    """`datasets.load_dataset` for our benchmarks only: a name that is none of them is an error with a suggestion."""
    builder_of(name)
    return datasets.load_dataset(name, config, **options)


def load_episodes(name: str, config: str | None = None, *, split: str, **options: Any) -> EpisodeSet:
    """The episodes of a benchmark's split in compact form, with the same options as `load_dataset`.

    The same episodes as the rows of `load_dataset`, as class names and row numbers of an examples table.

    Args:
        split: its name, or a part of it such as "test[:5]" or "test[10%:20%]".
    """
    builder_of(name)
    builder = datasets.load_dataset_builder(name, config, **options)
    whole, bracket, _ = split.partition("[")
    episodes: EpisodeSet = builder.episode_set(whole)
    if not bracket:
        return episodes
    if "+" in split:
        raise ValueError(f"split={split!r}, but episodes are of one split. Take one, such as {whole!r}.")
    (part,) = datasets.ReadInstruction.from_spec(split).to_absolute({whole: len(episodes)})
    return episodes[part.from_ : part.to]
