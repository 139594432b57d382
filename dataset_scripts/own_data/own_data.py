"""Labelled data of one's own as a benchmark: what the builders of all tasks share."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from datasets import Dataset, DatasetDict
from datasets.utils import logging

from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.class_split import by_group, to_few_shot
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.dataset_scripts.own_data.config import ALL_CLASSES, NEW_CLASSES
from hf_fewshot.dataset_scripts.own_data.places import DATA, digest, places_of, stamp
from hf_fewshot.episodes.all_classes import all_classes
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import listed
from hf_fewshot.episodes.sampling import make_episodes, scarce_classes
from hf_fewshot.files.sources import Repository
from hf_fewshot.labelled.given import LabelledError
from hf_fewshot.labelled.reading import labelled_rows
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.labels import NOTA
from hf_fewshot.tasks.schemas import example_features, table_of

logger = logging.get_logger("hf_fewshot")

Row = dict[str, Any]
# Ids of a test set of its own begin with it, where the file has none.
TEST_PREFIX = "test-"


class OwnData(FewShotBuilder):
    """Builder of data of one's own: a file, a folder or a Hub dataset, read by `read_labelled`."""

    SAMPLE: ClassVar[str]  # name of the file with sample data
    DEFAULT_CONFIG_NAME = "default"
    OWN_DATA = True
    NEEDS = "your file (--data)"
    LICENSE = "that of your data"
    REPOSITORY = Repository("your data", "")

    @cached_property
    def places(self) -> dict[str, str]:
        """Where the data is, or each of its splits."""
        config = self.config
        if config.sample:
            return {DATA: str(sample_folder(self.NAME) / self.SAMPLE)}
        return places_of(self.NAME, config.data_dir, config.test_data)

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        if not self.config.keeps_classes:
            return dict.fromkeys((TRAIN, VALIDATION, TEST), tuple(self.places))
        learnt = next(iter(self.places))
        has_test = TEST in self.places
        if self.config.makes_episodes:
            # What is learnt from is a split too, but no episodes are made of it.
            return {TRAIN: (learnt,), TEST: (learnt, TEST) if has_test else (learnt,)}
        return {TRAIN: (learnt,), TEST: (TEST,)} if has_test else {TRAIN: (learnt,)}

    def split_files(self, split: str) -> dict[str, Path]:
        return {path: Path(self.places[path]) for path in self._paths(split)}

    def find_files(self) -> dict[str, dict[str, Path]]:
        only_test = self.config.keeps_classes and self.config.makes_episodes
        return {split: self.split_files(split) for split in ((TEST,) if only_test else self.raw_paths())}

    def file_hashes(self, *splits: str) -> dict[str, str]:
        paths = [path for split in splits or self.files for path in self._paths(split)]
        return {path: digest(self.places[path]) for path in dict.fromkeys(paths)}

    def origin(self) -> list[Any]:
        return [{path: stamp(place) for path, place in self.places.items()}]

    def official(self, *splits: str) -> bool:
        return False

    def _paths(self, split: str) -> tuple[str, ...]:
        paths = self.raw_paths()
        if split not in paths:
            raise ValueError(
                f"split={split!r}, but with protocol={self.config.protocol!r} {self.NAME} has {', '.join(paths)}."
            )
        return paths[split]

    # Examples

    def read_examples(self, split: str) -> Iterator[Row]:
        if not self.config.keeps_classes:
            yield from self.splits[split].to_list()
        elif split == TRAIN:
            yield from self._rows(next(iter(self.places)))
        else:
            known = {row["id"] for row in self._rows(next(iter(self.places)))}
            for row in self._rows(TEST, TEST_PREFIX):
                if row["id"] in known:
                    remedy = "Give it an id of its own, or name the column otherwise."
                    expected = "ids that the data to learn from has not"
                    raise LabelledError(self.places[TEST], expected, repr(row["id"]), remedy)
                yield row

    def _rows(self, path: str, prefix: str = "") -> list[Row]:
        config = self.config
        rows = labelled_rows(self.places[path], self.TASK, config.columns or {}, prefix)
        if config.other is None:
            return rows
        (column,) = task_of(self.TASK).class_columns
        if path == next(iter(self.places)) and all(row[column.name] != config.other for row in rows):
            remedy = "Correct the name of the class, or leave other out."
            raise LabelledError(self.places[path], f"rows of other={config.other!r}", "none", remedy)
        return [{**row, column.name: NOTA if row[column.name] == config.other else row[column.name]} for row in rows]

    @cached_property
    def splits(self) -> DatasetDict:
        """With new classes: the examples of each split, whose classes are disjoint."""
        config, features = self.config, example_features(self.TASK)
        tables = {
            path: table_of(self._rows(path, "" if path == DATA else f"{path}-"), features) for path in self.places
        }
        if not config.has_ways:
            return self._by_domain(tables)
        other = NOTA if config.other is not None else None
        data: Dataset | DatasetDict = tables[DATA] if DATA in tables else DatasetDict(tables)
        return to_few_shot(data, self.TASK, shares=config.shares, other=other, seed=config.split_seed)

    def _by_domain(self, tables: dict[str, Dataset]) -> DatasetDict:
        """New domains bring new classes."""
        if DATA not in tables:
            raise ValueError(
                f"{self.NAME} with protocol={NEW_CLASSES!r} splits domains itself; its data has the splits "
                f"{', '.join(tables)}. Give one file."
            )
        table = tables[DATA]
        if not any(table["domain"]):
            place, remedy = self.places[DATA], f"Add one, or use protocol={ALL_CLASSES!r}."
            raise LabelledError(place, "a column domain, since new domains bring new classes", "none", remedy)
        return by_group(table, "domain", self.config.shares, self.config.split_seed)

    def examples(self, split: str) -> Dataset:
        """The examples of a split; of all classes, those that the episode learns from, or asks."""
        if not (self.config.keeps_classes and self.config.makes_episodes):
            return super().examples(split)
        self._paths(split)
        episodes = self.episode_set(TEST)
        (episode,) = episodes
        return episodes.examples.select(episode.support if split == TRAIN else episode.query)

    def example_options(self) -> dict[str, Any]:
        left_out = ("dataset", "draw", "scarce", "nota_rate")
        return {**super().example_options(), **dict.fromkeys(left_out)}

    # Episodes

    def episode_set(self, split: str) -> EpisodeSet:
        if self.config.keeps_classes and self.config.makes_episodes and split != TEST:
            raise ValueError(
                f"protocol={ALL_CLASSES!r} has no episodes to train on: every class is asked, and all that may be "
                f"learnt from is the support set. Train with protocol={NEW_CLASSES!r}, or leave the training out."
            )
        return super().episode_set(split)

    def sampled_episodes(self, split: str) -> EpisodeSet:
        config = self.config
        if config.keeps_classes:
            return self._of_all_classes()
        examples = self.examples(split)
        n_groups = 0 if config.has_ways else len(set(examples["domain"]))
        length = config.n_episodes or n_groups or config.N_EPISODES
        episodes = make_episodes(examples, config.spec(), task=self.TASK, length=length, seed=config.seed)
        left_out = scarce_classes(episodes)
        if left_out:
            logger.warning(
                f"{self.NAME}, split {split!r}: too few examples to be drawn for shots={config.shots}: "
                f"{listed(left_out)}."
            )
        return episodes

    def _of_all_classes(self) -> EpisodeSet:
        config = self.config
        learnt = super().examples(TRAIN)
        asked = super().examples(TEST) if TEST in self.places else None
        sizes = {"shots": config.shots, "scarce": config.scarce, "seed": config.seed, "draw": config.draw}
        return all_classes(self.TASK, learnt, asked, **sizes)
