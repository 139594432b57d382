"""The data of a run."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import datasets

from hf_fewshot.builder import TEST, TRAIN, VALIDATION, FewShotBuilder
from hf_fewshot.episodes.class_index import OUTSIDE
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.folds.fold import Fold
from hf_fewshot.registry import BENCHMARKS, resolve, unknown
from hf_fewshot.results.run import DRAWS, Run


@dataclass(frozen=True)
class Data:
    """Episodes of a run's benchmark; a fold of CLUES and a supervised split are one episode.

    Args:
        run: says what is read.
        source: where raw files are, such as `{"data_dir": folder}`; it is no part of the run.
    """

    run: Run
    source: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.run.benchmark not in BENCHMARKS:
            raise unknown("benchmark", self.run.benchmark, BENCHMARKS)

    @property
    def task(self) -> str:
        """The task of the benchmark."""
        return resolve(BENCHMARKS[self.run.benchmark]).TASK

    @cached_property
    def episodes(self) -> EpisodeSet:
        """What is predicted."""
        if self.task == "spans":
            if self.run.split != TEST:
                raise ValueError(f"split={self.run.split!r}, but CLUES is evaluated on its test rows: split='test'.")
            return split_episode("spans", self.fold.train(), self.fold.test())
        builder = self.builder()
        if builder.config.makes_episodes:
            return builder.episode_set(self.run.split)
        if self.task != "tagging":
            raise ValueError(
                f"{self.run.benchmark} makes no episodes with the options {self.run.data}. Give n_way and shots."
            )
        rows = self.rows(self.run.split)
        classes = sorted({tag for tags in rows["tags"] for tag in tags} - {OUTSIDE})
        return split_episode("tagging", [], rows, classes)

    @cached_property
    def fold(self) -> Fold:
        """The fold of CLUES."""
        options = {**self.run.data, **self.source}
        return Fold(self.run.config or "", options.pop("shots", 10), options.pop("fold", 1), options)

    def builder(self, **changes: Any) -> FewShotBuilder:
        """The builder of the benchmark; options that are None are left out."""
        options = {**self.run.data, **self.source, **changes}
        given = {name: value for name, value in options.items() if value is not None}
        return datasets.load_dataset_builder(self.run.benchmark, self.run.config, **given)

    def training_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the train split, with options of their own; sampled ones are drawn with the seed of the run."""
        episodes = self._undrawn(TRAIN, **changes)
        if "seed" in episodes.spec and "seed" not in changes:
            return self._undrawn(TRAIN, **changes, seed=self.run.seed)
        return episodes

    def validation_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the validation split, with options of their own; the same for all seeds."""
        return self._undrawn(VALIDATION, **changes)

    def _undrawn(self, split: str, **changes: Any) -> EpisodeSet:
        """Episodes of a split; the draws of what is predicted say nothing about them."""
        return self.builder(**{**dict.fromkeys(DRAWS), **changes}).episode_set(split)

    def rows(self, split: str) -> datasets.Dataset:
        """The examples of a split."""
        return self.builder().examples(split)
