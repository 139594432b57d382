"""What all benchmark builders share: options, cache keys, and rows of examples or of episodes."""

import abc
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from typing import Any, ClassVar

import datasets
from datasets.exceptions import DatasetGenerationError
from datasets.fingerprint import Hasher

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder_files import BuilderFiles
from hf_fewshot.data.official_files import is_official
from hf_fewshot.data.splits import TEST, TRAIN
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.files.raw_files import RawFileError
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.registry import unknown
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.schemas import episode_features, example_features, table_of
from hf_fewshot.tasks.tags import types_of


class FewShotBuilder(BuilderFiles, datasets.GeneratorBasedBuilder):
    """Base of the builders in dataset_scripts/.

    A builder says which raw files a split needs (`raw_paths`) and turns them into example rows (`read_examples`).
    Where its configuration makes episodes, it reads released ones (`released_rows`) or samples them
    (`sampled_episodes`).
    """

    BUILDER_CONFIG_CLASS = FewShotConfig
    BUILDER_CONFIGS: ClassVar[list[FewShotConfig]]
    config: Any

    @abc.abstractmethod
    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        """The example rows of a split."""

    @property
    def releases_episodes(self) -> bool:
        """Whether episodes are read as somebody released them; else they are sampled."""
        return False

    def released_rows(self, split: str) -> Iterator[dict[str, Any]] | None:
        """The rows of released episodes, or None where episodes are sampled."""
        return None

    def sampled_episodes(self, split: str) -> EpisodeSet:
        """The sampled episodes of a split."""
        raise NotImplementedError(f"{self.NAME} samples no episodes")

    def episode_set(self, split: str) -> EpisodeSet:
        """The episodes of a split in compact form; a fold with its questions and a tagged split are one episode."""
        if self.HAS_FOLDS:
            if split != TEST:
                raise ValueError(f"split={split!r}, but {self.NAME} is evaluated on its test rows: split={TEST!r}.")
            return split_episode(self.TASK, self.fold_rows(), self.read_alone(TEST))
        if not self.config.makes_episodes:
            return self._tagged_split(split)
        rows = self._released(split)
        return self._sampled(split) if rows is None else EpisodeSet.from_rows(self.TASK, rows, self.config.shots)

    def first_episodes(self, split: str, number: int) -> EpisodeSet:
        """The same, of which so many are drawn or read: what cannot be served shows."""
        if self.HAS_FOLDS or not self.config.makes_episodes:
            return self.episode_set(split)
        rows = self._released(split)
        if rows is not None:
            return EpisodeSet.from_rows(self.TASK, islice(rows, number), self.config.shots)
        return self._sampled(split, number)

    def _released(self, split: str) -> Iterator[dict[str, Any]] | None:
        if split not in self.files:
            raise unknown(f"split of {self.NAME}/{self.config.name}", split, self.files)
        rows = self.released_rows(split)
        return None if rows is None else islice(rows, self.config.n_episodes)

    def _tagged_split(self, split: str) -> EpisodeSet:
        """All sentences of a split as queries, for taggers that are trained on another one."""
        columns = task_of(self.TASK).class_columns
        if [column.is_tags for column in columns] != [True]:
            raise ValueError(
                f"{self.NAME}/{self.config.name} gives examples with these options, not episodes. Say of which size "
                "episodes are to be, such as n_way and shots."
            )
        rows = self.examples(split)
        classes = sorted({*types_of(rows[columns[0].name]).values()} - {OUTSIDE})
        return split_episode(self.TASK, [], rows, classes)

    def _sampled(self, split: str, tried: int = 0) -> EpisodeSet:
        """The sampled episodes, of which the first are tried out; an impossible request says of which split."""
        try:
            episodes = self.sampled_episodes(split)
            list(islice(episodes, tried))
            return episodes
        except (RawFileError, LabelledError):
            raise
        except ValueError as error:
            raise ValueError(f"{self.NAME}/{self.config.name}, split {split!r}: {error}") from error

    def official(self, *splits: str) -> bool:
        """Whether the raw files of these splits (default: all that are there) are surely the benchmark's own.

        A file is if its checksum is known and right; where none is known, if the split has exactly the classes and
        counts that are published (`counts_agree`). What is not sure is other data.
        """
        is_part = self.releases_episodes and self.config.n_episodes is not None
        return not (self.config.sample or is_part) and all(is_official(self, split) for split in splits or self.files)

    def counts_agree(self, split: str) -> bool:
        """Whether a split has exactly the classes and counts that are published of the benchmark."""
        return False

    def extra_columns(self) -> dict[str, Any]:
        """Columns of examples beside those of the task."""
        return {}

    def examples(self, split: str) -> datasets.Dataset:
        """The examples table of a split, prepared once in the datasets cache."""
        table = self.example_builder().as_dataset(split=split)
        assert isinstance(table, datasets.Dataset)
        return table

    def example_builder(self) -> "FewShotBuilder":
        """The builder whose rows are the examples that episodes are drawn from, prepared."""
        options = {**self.config_kwargs, **self.example_options()}
        options = {name: value for name, value in options.items() if value is not None}
        config_name = options.pop("config_name", self.config.name)
        builder = type(self)(
            cache_dir=self._cache_dir_root,
            dataset_name=self.dataset_name,
            config_name=config_name,
            hash=self.hash,
            **options,
        )
        builder.download_and_prepare()
        return builder

    def read_alone(self, split: str) -> datasets.Dataset:
        """The examples of a split; the raw files of the others are not opened, and nothing is cached."""
        self.files = {split: self.split_files(split)}
        return table_of(self.read_examples(split), example_features(self.TASK, self.extra_columns()))

    def fold_rows(self) -> datasets.Dataset:
        """With folds: the rows to train on; none where the options ask for none."""
        if TRAIN in self.raw_paths():
            return self.read_alone(TRAIN)
        return table_of([], example_features(self.TASK, self.extra_columns()))

    def questions(self) -> datasets.Dataset:
        """With folds: the test rows, without anything that says what is right."""
        rows = self.read_alone(TEST)
        return rows.remove_columns([name for name in self.GOLD if name in rows.column_names])

    def refuse_overlap(self, train: datasets.Dataset, questions: datasets.Dataset) -> None:
        """With folds: raises ValueError if a training row is also a test row, which makes a score worthless."""

    def example_options(self) -> dict[str, Any]:
        """Options that turn this configuration into the one whose rows are examples (None: leave the option out)."""
        return {"n_way": None, "shots": None, "n_query": None, "n_episodes": None, "seed": None}

    def _create_builder_config(
        self, config_name: str | None = None, custom_features: Any = None, config_id: str | None = None, **options: Any
    ) -> tuple[datasets.BuilderConfig, str]:
        name = self.config_name(config_name)
        # Raw files are found by their names in the authors' layout, never by data_files.
        known = {field.name for field in fields(self.BUILDER_CONFIG_CLASS)} - {"data_files", "version"}
        if options.get("version") is not None:
            remedy = "Say data_version=." if "data_version" in known else "Leave it out."
            raise ValueError(f"version={options['version']!r} has no effect on {self.NAME}. {remedy}")
        for option in options:
            if option not in known:
                raise unknown(f"option of {self.NAME}", option, known)
        config, _ = super()._create_builder_config(name, custom_features, config_id, **options)
        self.config = config
        self.config.check()
        if config_id is None:
            inputs = [sorted(options.items()), custom_features, *self.origin()]
            config_id = f"{config.name}-{Hasher.hash(inputs)}"
        return config, config_id

    def _info(self) -> datasets.DatasetInfo:
        make_features = episode_features if self.config.makes_episodes else example_features
        return datasets.DatasetInfo(
            description=self.DESCRIPTION,
            citation=self.CITATION,
            homepage=self.REPOSITORY.homepage,
            license=self.LICENSE,
            features=make_features(self.TASK, self.extra_columns()),
        )

    def _download_and_prepare(self, *args: Any, **kwargs: Any) -> None:
        try:
            super()._download_and_prepare(*args, **kwargs)
        except DatasetGenerationError as error:
            # What is wrong with a raw file, an option or the disk is what the user must read first, as its own type.
            cause = error.__cause__
            if isinstance(cause, (ValueError, OSError, MemoryError)):
                raise cause from cause.__cause__
            raise

    def as_streaming_dataset(self, *args: Any, **kwargs: Any) -> Any:
        _ = self.files  # what is not to be had shows now, not with the first row
        return super().as_streaming_dataset(*args, **kwargs)

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        asked_for_names = isinstance(dl_manager, datasets.StreamingDownloadManager) and "files" not in vars(self)
        splits = self.split_names() if asked_for_names else self.files
        return [datasets.SplitGenerator(name=split, gen_kwargs={"split": split}) for split in splits]

    def _generate_examples(self, split: str) -> Iterator[tuple[int, dict[str, Any]]]:
        if not self.config.makes_episodes:
            rows: Iterator[dict[str, Any]] | None = self.read_examples(split)
        else:
            rows = self._released(split)
        number = -1
        for number, row in enumerate(self._sampled(split).rows() if rows is None else rows):
            yield number, row
        if number < 0:
            raise RawFileError(next(iter(self.files[split].values())), None, "rows of data", "none")
