"""The data of a run, and what of it was read."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import datasets
import numpy as np

from hf_fewshot.data.benchmark_options import check_benchmark_options
from hf_fewshot.data.builder import TEST, TRAIN, VALIDATION, FewShotBuilder
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.folds.fold import Fold
from hf_fewshot.registry import BENCHMARKS, resolve
from hf_fewshot.runs.run import DRAWS, Run
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import OUTSIDE

# What can be read of a benchmark, beside the rows of a split: what is predicted, what is trained and chosen on.
EPISODES, TRAINING, VALIDATING, ROWS, FOLD = "episodes", "training episodes", "validation episodes", "rows", "fold"


class Reading(NamedTuple):
    """Something that was read of the benchmark: which part, with which options of its own, and its hashes.

    Equal `files` (raw files, code, versions) make equal `content` (all rows and episodes), and are cheap to compare.
    """

    part: str
    options: dict[str, Any]
    files: str
    content: str

    @property
    def name(self) -> str:
        """In words."""
        split = self.options.get("split")
        return f"{self.part} of split {split!r}" if split else self.part


@dataclass(frozen=True)
class Data:
    """Episodes of a run's benchmark; a fold of CLUES and a supervised split are one episode.

    Args:
        run: says what is read.
        source: where raw files are, such as `{"data_dir": folder}`; it is no part of the run.
        readings: what was read so far: the result depends on it.
    """

    run: Run
    source: dict[str, Any] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        run = self.run
        check_benchmark_options(run.benchmark, run.config, run.data, data_dir=self.source.get("data_dir"))

    @property
    def benchmark(self) -> str:
        return self.run.benchmark

    @property
    def config(self) -> str | None:
        return self.run.config

    @property
    def options(self) -> dict[str, Any]:
        return self.run.data

    def train_rows(self) -> Any:
        return self._noted(FOLD)

    @cached_property
    def unanswered(self) -> EpisodeSet:
        if not self.has_folds:
            return self.episodes
        fold = self._fold()
        return split_episode(self.task, fold.train(), [{**row, "answers": []} for row in fold.questions()])

    @property
    def task(self) -> str:
        """The task of the benchmark."""
        return resolve(BENCHMARKS[self.run.benchmark]).TASK

    @property
    def has_folds(self) -> bool:
        """Whether the benchmark is trained on folds and asked questions afterwards, as CLUES is."""
        return resolve(BENCHMARKS[self.run.benchmark]).HAS_FOLDS

    @cached_property
    def episodes(self) -> EpisodeSet:
        """What is predicted."""
        return self._noted(EPISODES)

    @cached_property
    def fold(self) -> Fold:
        """The fold of CLUES."""
        self._noted(FOLD)
        return self._fold()

    def training_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the train split, with options of their own; sampled ones are drawn with the seed of the run."""
        return self._noted(TRAINING, changes)

    def validation_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the validation split, with options of their own; the same for all seeds."""
        return self._noted(VALIDATING, changes)

    def rows(self, split: str) -> datasets.Dataset:
        """The examples of a split."""
        return self._noted(ROWS, {"split": split})

    @property
    def is_official(self) -> bool:
        """Whether what is predicted is surely the benchmark's own: neither ours nor a part of it nor other data."""
        return self.builder().official(*self._splits(EPISODES, {}))

    def builder(self, **changes: Any) -> FewShotBuilder:
        """The builder of the benchmark; options that are None are left out."""
        options = {**self.run.data, **self.source, **changes}
        given = {name: value for name, value in options.items() if value is not None}
        return datasets.load_dataset_builder(self.run.benchmark, self.run.config, **given)

    def files(self, part: str, options: dict[str, Any]) -> str:
        """A hash over all that a part is made from: raw files, code and versions."""
        builder = self._undrawn(options) if part in (TRAINING, VALIDATING) else self.builder()
        made_from = [builder.hash, np.__version__, builder.file_hashes(*self._splits(part, options))]
        return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()

    def reads(self, part: str, options: dict[str, Any]) -> bool:
        """Whether a run like this may read a part with these options; a record of a stranger may say otherwise."""
        training = self.run.training or {}
        if part == ROWS:
            return options in [{"split": split} for split in (TRAIN, VALIDATION, TEST, self.run.split)]
        own = {EPISODES: {}, FOLD: {}, TRAINING: training.get("data", {}), VALIDATING: training.get("validation", {})}
        return own.get(part) == options

    def content(self, part: str, options: dict[str, Any]) -> str:
        """A hash over all rows and episodes of a part."""
        return _content(part, self._read(part, options))

    def _noted(self, part: str, options: dict[str, Any] | None = None) -> Any:
        """A part of the benchmark, which is from now on among what was read."""
        options = options or {}
        files = self.files(part, options)
        found = self._read(part, options)
        # Hashing all rows is dear; the same files give the same rows.
        run = self.run
        made_from = json.dumps([run.benchmark, run.config, run.data, run.split, run.seed, part, options, files])
        if made_from not in _CONTENTS:
            _CONTENTS[made_from] = _content(part, found)
        reading = Reading(part, options, files, _CONTENTS[made_from])
        if reading not in self.readings:
            self.readings.append(reading)
        return found

    def _read(self, part: str, options: dict[str, Any]) -> Any:
        if part == FOLD:
            return self._fold().train()
        if part == ROWS:
            return self.builder().examples(options["split"])
        if part == VALIDATING:
            return self._undrawn(options).episode_set(VALIDATION)
        if part == TRAINING:
            episodes = self._undrawn(options).episode_set(TRAIN)
            if "seed" in episodes.spec and "seed" not in options:
                return self._undrawn({**options, "seed": self.run.seed}).episode_set(TRAIN)
            return episodes
        return self._episodes()

    def _splits(self, part: str, options: dict[str, Any]) -> tuple[str, ...]:
        """The splits whose raw files a part is read from."""
        if part == EPISODES:
            return (TRAIN, TEST) if self.has_folds else (self.run.split,)
        return {FOLD: (TRAIN,), TRAINING: (TRAIN,), VALIDATING: (VALIDATION,)}.get(part) or (options["split"],)

    def _fold(self) -> Fold:
        options = {**self.run.data, **self.source}
        return Fold(self.run.config or "", options.pop("shots", 10), options.pop("fold", 1), options)

    def _episodes(self) -> EpisodeSet:
        if self.has_folds:
            if self.run.split != TEST:
                raise ValueError(f"split={self.run.split!r}, but CLUES is evaluated on its test rows: split='test'.")
            fold = self._fold()
            return split_episode(self.task, fold.train(), fold.test())
        builder = self.builder()
        if builder.config.makes_episodes:
            return builder.episode_set(self.run.split)
        columns = task_of(self.task).class_columns
        if [column.is_tags for column in columns] != [True]:
            raise ValueError(
                f"{self.run.benchmark} makes no episodes with the options {self.run.data}. Give n_way and shots."
            )
        rows = builder.examples(self.run.split)
        classes = sorted({tag for tags in rows[columns[0].name] for tag in tags} - {OUTSIDE})
        return split_episode(self.task, [], rows, classes)

    def _undrawn(self, options: dict[str, Any]) -> FewShotBuilder:
        """The builder of episodes that are not predicted: the draws of those that are say nothing about them."""
        return self.builder(**{**dict.fromkeys(DRAWS), **options})


_CONTENTS: dict[str, str] = {}  # of this process


def _content(part: str, found: EpisodeSet | datasets.Dataset) -> str:
    digest = hashlib.sha256()
    if isinstance(found, EpisodeSet):
        if part in (TRAINING, VALIDATING) and "seed" in found.spec:
            # Thousands of episodes, of which training may see a part, follow from the rows and these.
            digest.update(json.dumps([found.spec, len(found)], sort_keys=True).encode())
        else:
            digest.update(found.fingerprint.encode())
        found = found.examples
    for row in found.to_list():
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()
