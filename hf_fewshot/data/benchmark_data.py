"""What is read of a benchmark to predict it, and what of it was read so far."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import datasets
import numpy as np
from datasets import List

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_options import check_benchmark_options, config_with
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.progress import stage
from hf_fewshot.tasks import task_of

# What can be read of a benchmark, beside the rows of a split: what is predicted, what is trained and chosen on.
EPISODES, TRAINING, VALIDATING, ROWS, FOLD = "episodes", "training episodes", "validation episodes", "rows", "fold"
OTHER_FOLD = "validation fold"
# So many episodes are tried out: where they go through domains in turn, benchmarks have fewer.
TRIED = 50


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
    """Episodes of a benchmark; a fold and a supervised split are one episode.

    Args:
        benchmark: its name.
        config: its configuration.
        options: of `load_dataset`.
        split: the split whose queries are predicted.
        seed: of the episodes that are trained on, where they are sampled.
        training_data: options of the episodes that may be trained on, which differ from `options`.
        validation_data: the same of those that training may be ended by.
        source: where raw files are, such as `{"data_dir": folder}`.
        readings: what was read so far: the result depends on it.
    """

    benchmark: str
    config: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    split: str = TEST
    seed: int = 0
    training_data: dict[str, Any] = field(default_factory=dict)
    validation_data: dict[str, Any] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        check_benchmark_options(self.benchmark, self.config, self.options, data_dir=self.source.get("data_dir"))

    @property
    def task(self) -> str:
        """The task of the benchmark."""
        return builder_of(self.benchmark).TASK

    @property
    def config_name(self) -> str:
        """The name of its configuration, which may be the default one."""
        return builder_of(self.benchmark).config_name(self.config)

    @property
    def nota_class(self) -> str | None:
        """The class of its examples that stands for none of the others, where there is one."""
        return builder_of(self.benchmark).NOTA_CLASS

    @property
    def has_folds(self) -> bool:
        """Whether the benchmark is trained on folds and asked questions afterwards, instead of episodes."""
        return builder_of(self.benchmark).HAS_FOLDS

    @property
    def has_examples(self) -> bool:
        """Whether there are examples to learn from."""
        return bool(config_with(self.benchmark, self.config, self.options).has_examples)

    @cached_property
    def episodes(self) -> EpisodeSet:
        """What is predicted."""
        return self._noted(EPISODES)

    @cached_property
    def unanswered(self) -> EpisodeSet:
        """What is predicted; of a benchmark with folds, without what is right.

        Its test rows are opened when it is first asked for: whatever is trained on the fold is trained by then.
        """
        if not self.has_folds:
            return self.episodes
        builder = self.builder()
        train, questions = builder.fold_rows(), builder.questions()
        builder.refuse_overlap(train, questions)
        columns = task_of(self.task).columns.items()
        blank = {name: [] if isinstance(kind, List) else "" for name, kind in columns if name in builder.GOLD}
        return split_episode(self.task, train, [{**row, **blank} for row in questions])

    def train_rows(self) -> datasets.Dataset:
        """The examples to train on: of the fold, where there are some, else of the train split."""
        return self._noted(FOLD) if self.has_folds else self.rows(TRAIN)

    def validation_rows(self) -> datasets.Dataset:
        """With folds: the rows of another fold, where the run says one."""
        return self._noted(OTHER_FOLD, self.validation_data)

    def training_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the train split, with options of their own; sampled ones are drawn with `seed`."""
        return self._noted(TRAINING, changes)

    def validation_episodes(self, **changes: Any) -> EpisodeSet:
        """Episodes of the validation split, with options of their own; the same for all seeds."""
        return self._noted(VALIDATING, changes)

    @property
    def trains_on_released(self) -> bool:
        """Whether the training episodes are released ones; else they are sampled, or there are none."""
        return self._undrawn(self.training_data).releases_episodes

    def rows(self, split: str) -> datasets.Dataset:
        """The examples of a split."""
        return self._noted(ROWS, {"split": split})

    @property
    def is_official(self) -> bool:
        """Whether what is predicted is surely the benchmark's own: neither ours nor a part of it nor other data."""
        return self.builder().official(*self._splits(EPISODES, {}))

    def builder(self, **changes: Any) -> FewShotBuilder:
        """The builder of the benchmark; options that are None are left out."""
        options = {**self.options, **self.source, **changes}
        given = {name: value for name, value in options.items() if value is not None}
        return datasets.load_dataset_builder(self.benchmark, self.config, **given)

    def files(self, part: str, options: dict[str, Any]) -> str:
        """A hash over all that a part is made from: raw files, code and versions."""
        builder = self._undrawn(options) if part in (TRAINING, VALIDATING) else self._fold(part, options)
        made_from = [builder.hash, np.__version__, builder.file_hashes(*self._splits(part, options))]
        return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()

    def reads(self, part: str, options: dict[str, Any]) -> bool:
        """Whether this is a part of it, with these options; a record of a stranger may say otherwise."""
        if part == ROWS:
            return options in [{"split": split} for split in (TRAIN, VALIDATION, TEST, self.split)]
        own = {EPISODES: {}, FOLD: {}, TRAINING: self.training_data}
        own |= dict.fromkeys((VALIDATING, OTHER_FOLD), self.validation_data)
        return own.get(part) == options

    def try_out(self, part: str, options: dict[str, Any]) -> EpisodeSet | datasets.Dataset:
        """Reads of a part what shows that there is one: the first episodes, or the rows. It is not noted as read."""
        if part == EPISODES:
            return self.unanswered if self.has_folds else self.builder().first_episodes(self.split, TRIED)
        if part in (TRAINING, VALIDATING):
            split = TRAIN if part == TRAINING else VALIDATION
            return self._undrawn(options).first_episodes(split, TRIED)
        return self._read(part, options)

    def content(self, part: str, options: dict[str, Any]) -> str:
        """A hash over all rows and episodes of a part."""
        return _content(part, self._read(part, options))

    def _noted(self, part: str, options: dict[str, Any] | None = None) -> Any:
        """A part of the benchmark, which is from now on among what was read."""
        options = options or {}
        with stage(f"reading {self.benchmark}"):
            files = self.files(part, options)
            found = self._read(part, options)
        # Hashing all rows is dear; the same files give the same rows.
        which = [self.benchmark, self.config, self.options, self.split, self.seed]
        made_from = json.dumps([*which, part, options, files])
        if made_from not in _CONTENTS:
            _CONTENTS[made_from] = _content(part, found)
        reading = Reading(part, options, files, _CONTENTS[made_from])
        if reading not in self.readings:
            self.readings.append(reading)
        return found

    def _read(self, part: str, options: dict[str, Any]) -> Any:
        if part in (FOLD, OTHER_FOLD):
            return self._fold(part, options).fold_rows()
        if part == ROWS:
            return self.builder().examples(options["split"])
        if part == VALIDATING:
            return self._undrawn(options).episode_set(VALIDATION)
        if part == TRAINING:
            episodes = self._undrawn(options).episode_set(TRAIN)
            if "seed" in episodes.spec and "seed" not in options:
                return self._undrawn({**options, "seed": self.seed}).episode_set(TRAIN)
            return episodes
        return self.builder().episode_set(self.split)

    def _splits(self, part: str, options: dict[str, Any]) -> tuple[str, ...]:
        """The splits whose raw files a part is read from."""
        if part == EPISODES:
            fold = (TRAIN, TEST) if self.has_examples else (TEST,)
            return fold if self.has_folds else (self.split,)
        if part in (FOLD, OTHER_FOLD, TRAINING):
            return (TRAIN,)
        return (VALIDATION,) if part == VALIDATING else (options["split"],)

    def _fold(self, part: str, options: dict[str, Any]) -> FewShotBuilder:
        """The builder of what is predicted and of its fold, or of another fold."""
        return self.builder(**options) if part == OTHER_FOLD else self.builder()

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
