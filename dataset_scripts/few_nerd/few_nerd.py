"""Few-NERD (Ding et al., 2021): named entities of 66 fine types, supervised and few-shot."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from datasets.utils import logging

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.dataset_scripts.few_nerd.files import read_episodes, read_parquet, read_tagged_text
from hf_fewshot.dataset_scripts.few_nerd.types import N_SENTENCES, are_all_types
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.files.hub_files import hub_files
from hf_fewshot.files.sources import MIRROR, RawFilesNotFoundError, Repository
from hf_fewshot.registry import unknown
from hf_fewshot.tasks.labels import OUTSIDE

logger = logging.get_logger("hf_fewshot")

FILES = {TRAIN: "train", VALIDATION: "dev", TEST: "test"}
HUB_DATASET = "DFKI-SLT/few-nerd"
# n_way and shots of the released episode sets, and their sizes.
RELEASED = ((5, 1), (5, 5), (10, 1), (10, 5))
N_EPISODES = {TRAIN: 20_000, VALIDATION: 1_000, TEST: 5_000}


@dataclass
class FewNerdConfig(FewShotConfig):
    """Options of Few-NERD. With `n_way` and `shots` a row is an episode, else a sentence.

    Args:
        n_way: number of entity types of an episode.
        shots: K of K~2K: each type has K to 2K entities in the support set.
        n_query: the same for the query set; None: as many as shots.
        episodes: "released", "sampled", or None: released where they are to be had, else sampled.
        scheme: of the labels of tagged text: "io" (types alone, Few-NERD), or "bio" (B- and I-, such as CoNLL'03 and
            OntoNotes in columns; data_dir holds train.txt, dev.txt and test.txt).
    """

    N_EPISODES: ClassVar = max(N_EPISODES.values())

    n_way: int | None = None
    shots: int | None = None
    n_query: int | None = None
    episodes: str | None = None
    scheme: str = "io"

    @property
    def makes_episodes(self) -> bool:
        return self.n_way is not None

    def check(self) -> None:
        super().check()
        self.require("episodes", "released", "sampled", None)
        self.require("scheme", "io", "bio")
        if self.sample or self.episodes == "released":
            self.refuse_unused("on sample data and released episodes, which have types alone", "scheme")
        if (self.n_way is None) != (self.shots is None):
            raise ValueError(f"n_way={self.n_way} and shots={self.shots}: give both for episodes, none for sentences.")
        if self.makes_episodes:
            if self.name == "supervised":
                raise ValueError(
                    "few_nerd/supervised has no episodes. Leave out n_way and shots, or use inter or intra."
                )
            # A data_dir may hold more: Few-TK has three types per episode.
            from_authors = self.data_dir is None and not self.sample
            if self.episodes == "released" and from_authors and (self.n_way, self.shots) not in RELEASED:
                pairs = ", ".join(f"{n_way}-way {shots}-shot" for n_way, shots in RELEASED)
                raise ValueError(
                    f"n_way={self.n_way}, shots={self.shots} was not released for Few-NERD; released: {pairs}. "
                    'Use one of them, or episodes="sampled".'
                )
            if self.episodes == "released":
                self.refuse_unused('on released episodes; use episodes="sampled"', "n_query", "seed")
        else:
            self.refuse_unused("on sentences: give n_way and shots", "episodes", "n_query", "seed", "n_episodes")


class FewNerd(FewShotBuilder):
    """Builder of Few-NERD, and of any data in its file formats (such as Few-TK, with its own types)."""

    NAME = "few_nerd"
    TASK = "tagging"
    BUILDER_CONFIG_CLASS = FewNerdConfig
    BUILDER_CONFIGS: ClassVar = [
        FewNerdConfig(name="inter", description="Fine types of every coarse type in every split, none in two"),
        FewNerdConfig(name="intra", description="Splits by coarse type"),
        FewNerdConfig(name="supervised", description="All 66 types in all splits"),
    ]
    REPOSITORY = Repository(
        "Few-NERD",
        "https://github.com/thunlp/Few-NERD",
        archives={
            "data/episode-data": (
                "data/episode-data.zip",
                "https://cloud.tsinghua.edu.cn/f/0e38bd108d7b49808cc4/?dl=1",
            ),
        },
    )
    LICENSE = "CC BY-SA 4.0"
    ABOUT = "66 entity types; N-way K~2K-shot episodes"
    SHOWN: ClassVar = {"config": "inter", "n_way": 5, "shots": 1, "n_episodes": 20}
    STATISTICS = "hf_fewshot.dataset_scripts.few_nerd.statistics:statistics"
    MEASURES = ("f1", "precision", "recall", "fp_error", "fn_error", "within_error", "outer_error")
    DESCRIPTION = (
        "Few-NERD: 188,238 sentences of Wikipedia with 491.7k entities of 8 coarse and 66 fine types, in the IO "
        "scheme (label = coarse-fine, no B-/I-). inter and intra keep the types of training, validation and test "
        "apart."
    )
    CITATION = """@inproceedings{ding2021few,
  title = {Few-NERD: A Few-Shot Named Entity Recognition Dataset},
  author = {Ding, Ning and Xu, Guangwei and Chen, Yulin and Wang, Xiaobin and Han, Xu and Xie, Pengjun
            and Zheng, Hai-Tao and Liu, Zhiyuan},
  booktitle = {ACL-IJCNLP},
  year = {2021}
}"""

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        return self._episode_paths() if self.releases_episodes else self._local_parquet() or self._sentence_paths()

    def _episode_paths(self) -> dict[str, tuple[str, ...]]:
        config = self.config
        stem = f"data/episode-data/{config.name}"
        return {split: (f"{stem}/{file}_{config.n_way}_{config.shots}.jsonl",) for split, file in FILES.items()}

    def _sentence_paths(self) -> dict[str, tuple[str, ...]]:
        return {split: (f"data/{self.config.name}/{file}.txt",) for split, file in FILES.items()}

    @property
    def releases_episodes(self) -> bool:
        config = self.config
        if not config.makes_episodes or config.episodes == "sampled":
            return False
        if config.episodes == "released":
            return True
        # Sampled episodes are asked for where their size is given or no released file is at hand.
        own_size = config.n_episodes is not None or config.n_query not in (None, config.shots)
        if own_size or config.seed or config.scheme != "io":
            return False
        return any(self.source.find_local(path) for paths in self._episode_paths().values() for path in paths)

    def _say_that_episodes_are_sampled(self) -> None:
        if self.config.episodes is None:
            logger.warning(
                f"few_nerd: {self.config.n_way}-way {self.config.shots}-shot episodes are sampled, seed "
                f"{self.config.seed}: released ones are not at hand, or sampling options were given."
            )

    def find_files(self) -> dict[str, dict[str, Path]]:
        """The raw files by split; where neither data_dir nor a mirror is given, the Parquet files of the Hub."""
        if not self._reads_hub:
            return super().find_files()
        try:
            return hub_files(HUB_DATASET, f"{self.config.name}/{{split}}*.parquet", (TRAIN, VALIDATION, TEST))
        except DownloadError as error:
            raise RawFilesNotFoundError(
                f"few_nerd/{self.config.name}: {error}. Three ways out: (1) data_dir=<folder with "
                f"{self.config.name}/train.txt, dev.txt, test.txt or the Hub's Parquet files>, from "
                f"{self.REPOSITORY.homepage}; (2) {MIRROR}=<folder or URL that holds Few-NERD/data/...>; (3) a "
                "connection to the Hub. To try things out without the data: sample=True."
            ) from error

    @property
    def _reads_hub(self) -> bool:
        source, is_fewnerd = self.source, self.config.scheme == "io"
        return is_fewnerd and not (self.releases_episodes or source.mirror or source.data_dir is not None)

    def split_files(self, split: str) -> dict[str, Path]:
        if not self._reads_hub:
            return super().split_files(split)
        if split not in self.files:
            raise unknown(f"split of few_nerd/{self.config.name}", split, self.files)
        return self.files[split]

    def counts_agree(self, split: str) -> bool:
        config = self.config
        if self.releases_episodes:
            return self._released_counts_agree(split)
        n_sentences, types = 0, set()
        for row in self.read_examples(split):
            n_sentences += 1
            types.update(row["tags"])
        return n_sentences == N_SENTENCES[config.name][split] and are_all_types(config.name, split, types - {OUTSIDE})

    def _released_counts_agree(self, split: str) -> bool:
        """Whether these are as many episodes as were released, of all types of the split, in lower-case words."""
        config = self.config
        if (config.n_way, config.shots) not in RELEASED:
            return False
        n_episodes, types = 0, set()
        for row in self.released_rows(split) or ():
            n_episodes += 1
            types.update(row["classes"])
            words = (word for part in ("support", "query") for member in row[part] for word in member["tokens"])
            if len(set(row["classes"])) != config.n_way or any(word != word.lower() for word in words):
                return False
        return n_episodes == N_EPISODES[split] and are_all_types(config.name, split, types)

    def _local_parquet(self) -> dict[str, tuple[str, ...]]:
        """The Hub's Parquet files in data_dir."""
        folder = self.source.data_dir
        if folder is None or self.config.scheme != "io":
            return {}
        root = folder / self.config.name if (folder / self.config.name).is_dir() else folder
        found = {split: sorted(root.glob(f"{split}-*.parquet")) for split in FILES}
        return {s: tuple(path.relative_to(folder).as_posix() for path in paths) for s, paths in found.items() if paths}

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        for number, file in enumerate(self.files[split].values()):
            prefix = f"{self.config.name}-{split}" + (f"-{number}" if number else "")
            if file.suffix == ".parquet":
                yield from read_parquet(file, prefix)
            else:
                yield from read_tagged_text(file, prefix, self.config.scheme)

    def example_options(self) -> dict[str, Any]:
        return {**super().example_options(), "episodes": None}

    def released_rows(self, split: str) -> Iterator[dict[str, Any]] | None:
        if not self.releases_episodes:
            return None
        return (row for file in self.files[split].values() for row in read_episodes(file))

    def sampled_episodes(self, split: str) -> EpisodeSet:
        config = self.config
        self._say_that_episodes_are_sampled()
        spec = NWayK2K(config.n_way, config.shots, config.n_query)
        length = config.n_episodes or N_EPISODES[split]
        return make_episodes(self.examples(split), spec, task=self.TASK, length=length, seed=config.seed)
