"""FewJoint (Hou et al., 2020): joint intent detection and slot filling in Chinese dialogue, few-shot by domain."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.dataset_scripts.fewjoint.domains import EVALUATED_DOMAINS, N_UTTERANCES, TRAIN_DOMAINS
from hf_fewshot.dataset_scripts.fewjoint.episode_files import read_episodes
from hf_fewshot.dataset_scripts.fewjoint.smp_items import read_items
from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.sampling import described
from hf_fewshot.files.raw_files import require_unique
from hf_fewshot.files.sources import Repository

SHOTS = (1, 3, 5, 10)
FILES = {TRAIN: "train", VALIDATION: "dev", TEST: "test"}
# Names under which other few-shot sets in the same format (SNIPS) keep their splits.
PATTERNS = {TRAIN: ("*train*.json",), VALIDATION: ("*dev*.json", "*valid*.json"), TEST: ("*test*.json",)}
EPISODES_PER_DOMAIN = 50
MIN_DOMAIN_SIZE = 50


@dataclass
class FewJointConfig(FewShotConfig):
    """Options of FewJoint.

    Args:
        data_version: "1.1" (bugs fixed) or "1.0" (the paper's).
        shots: 1, 3 (the contest's), 5 or 10 for released episodes; any number for sampled ones.
        n_query: queries of a train episode: 4, 8 or 16 for released episodes. Validation and test use all utterances.
        episodes: "released", or "sampled" by minimum-including sampling from the utterances.
        fold: number at the end of the file names, where a folder holds several folds (SNIPS).
    """

    data_version: str = "1.1"
    shots: int = 3
    n_query: int = 4
    episodes: str = "released"
    fold: int | None = None

    @property
    def makes_episodes(self) -> bool:
        return self.name == "episodes"

    def check(self) -> None:
        super().check()
        self.require("data_version", "1.1", "1.0")
        self.require("episodes", "released", "sampled")
        if self.data_dir is None:
            self.refuse_unused("without data_dir", "fold")
        if not self.makes_episodes:
            self.refuse_unused("on examples", "episodes", "seed", "n_episodes")
        elif self.episodes == "released":
            self.refuse_unused('on released episodes; use episodes="sampled"', "seed")
        if self.episodes == "released" or not self.makes_episodes:
            for name, released in (("shots", SHOTS), ("n_query", (4, 8, 16))):
                if getattr(self, name) not in released:
                    raise ValueError(
                        f"{name}={getattr(self, name)!r} was not released for FewJoint {self.data_version}; released: "
                        f'{", ".join(map(str, released))}. Use one of them, or episodes="sampled".'
                    )


class FewJoint(FewShotBuilder):
    """Builder of FewJoint, and of any few-shot set in its episode format."""

    NAME = "fewjoint"
    TASK = "joint"
    BUILDER_CONFIG_CLASS = FewJointConfig
    BUILDER_CONFIGS: ClassVar = [
        FewJointConfig(name="episodes", description="One episode of one domain per row"),
        FewJointConfig(name="examples", description="The distinct utterances", shots=1),
    ]
    DEFAULT_CONFIG_NAME = "episodes"
    REPOSITORY = Repository(
        "FewShotJoint",
        "https://github.com/AtmaHou/FewShotJoint",
        "https://raw.githubusercontent.com/AtmaHou/FewShotJoint/31661fb10cdaea3a94a02ed5d4f93f42907e83ea",
        Path(__file__).with_name("checksums.txt"),
    )
    LICENSE = "Apache-2.0"
    ABOUT = "intents and slots of 59 Chinese dialogue domains"
    SHOWN: ClassVar = {"shots": 3}
    STATISTICS = "hf_fewshot.dataset_scripts.fewjoint.statistics:statistics"
    MEASURES = ("intent_accuracy", "slot_f1", "sentence_accuracy")
    DESCRIPTION = (
        "FewJoint: few-shot joint intent detection and slot filling in Chinese dialogue. 59 domains with label sets "
        "of their own: 45 for training, 5 for validation, 9 for test; a model sees a few utterances of a new domain "
        "and labels the rest."
    )
    CITATION = """@article{hou2020fewjoint,
  title = {FewJoint: A Few-shot Learning Benchmark for Joint Language Understanding},
  author = {Hou, Yutai and Mao, Jiafeng and Lai, Yongkui and Chen, Cheng and Che, Wanxiang
            and Chen, Zhigang and Liu, Ting},
  journal = {arXiv preprint arXiv:2009.08138},
  year = {2020}
}"""

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        items = self._item_files()
        if items and not self.releases_episodes:
            return items
        official: dict[str, tuple[str, ...]] = {split: (self._official_path(split),) for split in FILES}
        folder = self.source.data_dir
        if folder is not None and self.config.fold is not None:
            return self._other_names(folder) or official
        if folder is None or any(self.source.find_local(path) for (path, *_) in official.values()):
            return official
        return self._other_names(folder) or official

    @property
    def _released_shots(self) -> int:
        """Shots of the files that are read."""
        sampled = self.config.makes_episodes and self.config.episodes == "sampled"
        return 1 if sampled else self.config.shots

    def _official_path(self, split: str) -> str:
        # Sampled episodes are drawn from the utterances of the default files, as `examples` reads them.
        sampled = self.config.makes_episodes and self.config.episodes == "sampled"
        shots = self._released_shots
        # Validation and test do not depend on the number of queries.
        n_query = self.config.n_query if split == TRAIN and not sampled else 4
        folder = f"data/FewJoint{self.config.data_version}/result/SMP_data_slu_{shots}"
        return f"{folder}/smp.spt_s_{shots}.q_s_{n_query}.ep_50.cross_id_0/{FILES[split]}.json"

    def _other_names(self, folder: Path) -> dict[str, tuple[str, ...]]:
        """One episode file per split under names of its own, as SNIPS has them."""
        found: dict[str, tuple[str, ...]] = {}
        for split, patterns in PATTERNS.items():
            names = sorted({path.name for pattern in patterns for path in folder.glob(pattern)})
            if self.config.fold is not None:
                names = [name for name in names if name.endswith(f"_{self.config.fold}.json")]
            if len(names) > 1:
                raise ValueError(
                    f"{folder} holds several files for split {split!r}: {', '.join(names)}. Choose with fold=."
                )
            if names:
                found[split] = (names[0],)
        return found

    def _item_files(self) -> dict[str, tuple[str, ...]]:
        """Raw SMP items in data_dir: train/*.json, dev/{support,correct}/*.json, test/{support,correct}/*.json."""
        folder = self.source.data_dir
        if folder is None:
            return {}
        root = folder / "raw" if (folder / "raw").is_dir() else folder
        found = {
            s: sorted(path.relative_to(folder).as_posix() for path in (root / n).rglob("*.json"))
            for s, n in FILES.items()
        }
        return {split: tuple(paths) for split, paths in found.items() if paths}

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        item_files = self._item_files().get(split, ())
        ids: list[str] = []
        places: list[str] = []
        for path, file in self.files[split].items():
            if path in item_files:
                # The same domain has a file of the same name in support/ and in correct/.
                parts = PurePosixPath(path).with_suffix("").parts
                rows = list(read_items(file, "-".join(parts[parts.index(FILES[split]) + 1 :])))
                ids += [row["id"] for row in rows]
                places += [f"item {number}" for number in range(1, len(rows) + 1)]
                require_unique(file, ids, places)
            else:
                sets = (row[part] for row in read_episodes(file, may_be_empty=True) for part in ("support", "query"))
                rows = list({utterance["id"]: utterance for part in sets for utterance in part}.values())
            yield from rows

    def example_options(self) -> dict[str, Any]:
        return {
            "config_name": "examples",
            "shots": None,
            "n_query": None,
            "n_episodes": None,
            "seed": None,
            "episodes": None,
        }

    @property
    def releases_episodes(self) -> bool:
        return self.config.makes_episodes and self.config.episodes == "released"

    def released_rows(self, split: str) -> Iterator[dict[str, Any]] | None:
        if not self.releases_episodes:
            return None
        return (row for file in self.files[split].values() for row in read_episodes(file))

    def counts_agree(self, split: str) -> bool:
        files = self.files[split]
        path = self._official_path(split)
        if set(files) != {path}:
            return False
        if split == TRAIN:
            domains, n_episodes = TRAIN_DOMAINS, EPISODES_PER_DOMAIN
        else:
            domains, n_episodes = EVALUATED_DOMAINS[split], 1
        rows = list(read_episodes(files[path]))
        if Counter(row["domain"] for row in rows) != dict.fromkeys(domains, n_episodes):
            return False
        if split == TRAIN:
            return all(len(row["query"]) == self.config.n_query for row in rows)
        counts = tuple(sum(len(row[part]) for row in rows) for part in ("support", "query"))
        return counts == N_UTTERANCES[self.config.data_version, self._released_shots][split]

    def sampled_episodes(self, split: str) -> EpisodeSet:
        examples = self.examples(split)
        # As in the release: train domains of at least 50 utterances; the whole of a new domain is evaluated.
        in_training = split == TRAIN
        spec = MinimumIncluding(
            self.config.shots,
            self.config.n_query if in_training else None,
            MIN_DOMAIN_SIZE if in_training else 1,
            scarce="skip",
        )
        sampler = spec.sampler(index_examples(self.TASK, examples), self.config.seed, list(examples["domain"]))
        length = self.config.n_episodes or len(sampler.groups) * (EPISODES_PER_DOMAIN if in_training else 1)
        return EpisodeSet(self.TASK, examples, sampler, length, spec.n_shot, described(spec, self.config.seed))
