"""Own pairs: how two sentences about the weather are related."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TEST, TRAIN
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.files.raw_files import read_json_lines, require_keys, require_types
from hf_fewshot.files.sources import Repository
from hf_fewshot.tasks import task_of


@dataclass
class OwnPairsConfig(FewShotConfig):
    """Options: with `n_way` and `shots` a row is an episode, else a pair."""

    N_EPISODES: ClassVar = 100

    n_way: int | None = None
    shots: int | None = None
    n_query: int = 1

    @property
    def makes_episodes(self) -> bool:
        return self.n_way is not None

    def check(self) -> None:
        super().check()
        if (self.n_way is None) != (self.shots is None):
            raise ValueError(f"n_way={self.n_way} and shots={self.shots}: give both for episodes, none for pairs.")


class OwnPairs(FewShotBuilder):
    """Reads `train.jsonl` and `test.jsonl`, one pair a line."""

    NAME = "own_pairs"
    TASK = "pairs"
    SPLITS = (TRAIN, TEST)
    BUILDER_CONFIG_CLASS = OwnPairsConfig
    BUILDER_CONFIGS: ClassVar = [OwnPairsConfig(name="default", description="Relations of train and test differ")]
    DEFAULT_CONFIG_NAME = "default"
    REPOSITORY = Repository("own_pairs", "https://example.org/own_pairs")
    LICENSE = "CC0-1.0"
    DESCRIPTION = "Pairs of sentences about the weather, and how the second is related to the first."
    ABOUT = "how two sentences about the weather are related"
    NEEDS = "your files (--data-dir)"
    SHOWN: ClassVar = {"n_way": 2, "shots": 1, "n_episodes": 5}

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        return {split: (f"{split}.jsonl",) for split in self.SPLITS}

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        for file in self.files[split].values():
            for line, item in read_json_lines(file):
                require_keys(file, line, item, "first", "second", "label")
                row = {"id": f"{split}-{line}", **item}
                require_types(file, line, row, task_of(self.TASK).columns)
                yield row

    def sampled_episodes(self, split: str) -> EpisodeSet:
        config = self.config
        spec = NWayKShot(config.n_way, config.shots, config.n_query)
        length = config.n_episodes or config.N_EPISODES
        return make_episodes(self.examples(split), spec, task=self.TASK, length=length, seed=config.seed)
