"""Few-Shot TACRED (Sabo et al., 2021): relation classification with the class frequencies of real text."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from datasets import List

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.dataset_scripts.fs_tacred.entities import has_names, matched
from hf_fewshot.dataset_scripts.fs_tacred.kept_rows import NAMES as KEPT
from hf_fewshot.dataset_scripts.fs_tacred.kept_rows import find_kept, read_kept
from hf_fewshot.dataset_scripts.fs_tacred.relations import N_INSTANCES, NO_RELATION, RELATIONS, TEST_SIZES
from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.episode_table import EpisodeTable
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.sampling import described
from hf_fewshot.episodes.tacred_replay import PUBLISHED_LENGTH, PUBLISHED_SEEDS, replay
from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json,
    require_keys,
    require_name,
    require_types,
    require_unique,
    require_words,
    shown,
)
from hf_fewshot.files.sources import Repository
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.task import STRING

FILES = {TRAIN: "train", VALIDATION: "dev", TEST: "test"}
CATEGORIES = "categories_split.json"
# An epoch of the paper.
N_EPISODES = 2_000


@dataclass
class FsTacredConfig(FewShotConfig):
    """Options of Few-Shot TACRED. With `n_way` and `shots` a row is an episode, else an instance.

    Args:
        n_way: number of target relations of an episode.
        shots: support instances per relation.
        n_query: queries of an episode.
        episodes: "published" draws the test episodes exactly as the authors did; "sampled" draws all with `seed`.
        test_seed: which of the five published test sets, 160290 to 160294.
        train_no_relation: "all" instances of it in the train split, or "kept": the 34,574 that the authors trained on.
        train_relations: relations that the train split keeps: its own ("train"), or the "test" split's (supervised).
        entities: "all" instances, those with "named" entities only, or "matched": as many of each relation, of all.
    """

    N_EPISODES: ClassVar = PUBLISHED_LENGTH

    n_way: int | None = None
    shots: int | None = None
    n_query: int = 3
    episodes: str = "published"
    test_seed: int = PUBLISHED_SEEDS[0]
    train_no_relation: str = "all"
    train_relations: str = TRAIN
    entities: str = "all"

    @property
    def makes_episodes(self) -> bool:
        return self.n_way is not None

    def check(self) -> None:
        super().check()
        self.require("episodes", "published", "sampled")
        self.require("test_seed", *PUBLISHED_SEEDS)
        self.require("train_no_relation", "all", "kept")
        self.require("train_relations", TRAIN, TEST)
        self.require("entities", "all", "named", "matched")
        if self.train_no_relation == "kept" and (self.train_relations != TRAIN or self.entities != "all"):
            raise ValueError(
                "train_no_relation='kept' counts in the whole train split, but "
                f"train_relations={self.train_relations!r} and entities={self.entities!r} make another one. "
                "Leave one out."
            )
        if self.makes_episodes and self.entities != "all" and self.episodes == "published":
            raise ValueError(
                f"entities={self.entities!r}, but the published episodes have all. Give episodes='sampled'."
            )
        if (self.n_way is None) != (self.shots is None):
            raise ValueError(f"n_way={self.n_way} and shots={self.shots}: give both for episodes, none for instances.")
        if not self.makes_episodes:
            names = ("n_query", "episodes", "test_seed", "seed", "n_episodes")
            self.refuse_unused("on instances: give n_way and shots", *names)


class FsTacred(FewShotBuilder):
    """Builder of Few-Shot TACRED from the user's licensed copy of TACRED, given as `data_dir`."""

    NAME = "fs_tacred"
    TASK = "relation"
    BUILDER_CONFIG_CLASS = FsTacredConfig
    BUILDER_CONFIGS: ClassVar = [FsTacredConfig(name="default", description="The relation split of the paper")]
    DEFAULT_CONFIG_NAME = "default"
    REPOSITORY = Repository("TACRED", "https://catalog.ldc.upenn.edu/LDC2018T24")
    OPTIONAL_FILES = (CATEGORIES, *KEPT)
    LICENSE = "LDC User Agreement; not redistributed"
    MAY_BE_PUBLISHED = False
    NOTA_CLASS = NO_RELATION
    ABOUT = "relations at their natural frequencies"
    NEEDS = "your copy of TACRED (--data-dir)"
    SHOWN: ClassVar = {"n_way": 5, "shots": 1, "n_episodes": 20}
    MEASURES = ("accuracy", "f1", "precision", "recall")
    STATISTICS = "hf_fewshot.dataset_scripts.fs_tacred.statistics:statistics"
    DESCRIPTION = (
        "Few-Shot TACRED: TACRED with disjoint relations for training (25), validation (6) and test (10). An instance "
        "keeps its split; one whose relation belongs to another split has no_relation. Queries come as they come in "
        "the text, so most have none of the relations of an episode."
    )
    CITATION = """@article{sabo2021revisiting,
  title = {Revisiting Few-shot Relation Classification: Evaluation Data and Classification Schemes},
  author = {Sabo, Ofer and Elazar, Yanai and Goldberg, Yoav and Dagan, Ido},
  journal = {Transactions of the Association for Computational Linguistics},
  volume = {9},
  year = {2021}
}"""

    @classmethod
    def reports_median_model(cls, options: Mapping[str, Any]) -> bool:
        return True

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        return {split: (f"data/json/{name}.json",) for split, name in FILES.items()}

    @cached_property
    def optional_files(self) -> dict[str, Path]:
        file = self.source.find_local(CATEGORIES)
        found = {} if file is None else {CATEGORIES: file}
        if self.config.train_no_relation == "kept":
            kept = find_kept(self.source)
            found[kept.name] = kept
        return found

    def relations(self, split: str) -> list[str]:
        """The relations of a split: the paper's, or those of a categories_split.json in data_dir."""
        if split == TRAIN:
            split = self.config.train_relations
        file = self.source.find_local(CATEGORIES)
        if file is None:
            return list(RELATIONS[split])
        categories = read_json(file, dict)
        require_keys(file, "the document", categories, *FILES.values())
        require_types(file, "the document", categories, {name: List(STRING) for name in FILES.values()})
        named = [name for key in FILES.values() for name in categories[key] if name != NO_RELATION]
        if len(set(named)) < len(named):
            repeated = sorted({name for name in named if named.count(name) > 1})
            raise RawFileError(file, None, "relations that occur once, in one split", shown(repeated))
        return [name for name in categories[FILES[split]] if name != NO_RELATION]

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        """The instances in the order of the authors' files: no_relation first, then relations as they first appear.

        The published episodes depend on that order. no_relation's own instances come first among those relabelled to
        it.
        """
        own = set(self.relations(split))
        by_relation: dict[str, list[dict[str, Any]]] = {NO_RELATION: []}
        for file in self.files[split].values():
            for row in self.read_instances(file, own):
                by_relation.setdefault(row["original_relation"], []).append(row)
            missing = own - by_relation.keys()
            # Some have hardly an instance with two names.
            if missing and self.config.entities == "all":
                where = self.source.find_local(CATEGORIES)
                by_whom = f"the {split} split of {where or 'the paper'}"
                raise RawFileError(
                    file, None, f"instances of all relations of {by_whom}", f"none of {sorted(missing)}"
                )
        own_rows = [row for relation in by_relation if relation in own for row in by_relation[relation]]
        others = [row for relation in by_relation if relation not in own for row in by_relation[relation]]
        if split == TRAIN and self.config.train_no_relation == "kept":
            others = [others[position] for position in read_kept(find_kept(self.source), len(others))]
        yield from ({**row, "relation": NO_RELATION} for row in others)
        yield from own_rows

    def read_instances(self, file: Path, own: set[str]) -> list[dict[str, Any]]:
        """The instances of a file, as many of them as `entities` says; `own` are the relations of the split."""
        items = read_json(file, list)
        rows = [read_instance(file, f"instance {number}", item) for number, item in enumerate(items, start=1)]
        require_unique(file, [row["id"] for row in rows])
        if self.config.entities == "all":
            return rows
        named = [has_names(file, f"instance {number}", item) for number, item in enumerate(items, start=1)]
        if self.config.entities == "named":
            return [row for row, is_named in zip(rows, named, strict=True) if is_named]
        relations = [row["relation"] if row["relation"] in own else NO_RELATION for row in rows]
        return [rows[number] for number in matched(relations, named)]

    def counts_agree(self, split: str) -> bool:
        if set(self.relations(split)) != set(RELATIONS[split]):
            return False
        rows = list(self.read_examples(split))
        n_related = sum(row["original_relation"] != NO_RELATION for row in rows)
        sizes = Counter(row["relation"] for row in rows)
        n_own = len(rows) - sizes[NO_RELATION]
        if (len(rows), n_related, n_own) != N_INSTANCES[split]:
            return False
        return split != TEST or tuple(sizes.values()) == TEST_SIZES

    def sampled_episodes(self, split: str) -> EpisodeSet:
        config = self.config
        spec = NaturalNota(config.n_way, config.shots, config.n_query, NO_RELATION)
        examples = self.examples(split)
        index = index_examples(self.TASK, examples, dict.fromkeys(examples["relation"]))
        if split == TEST and config.episodes == "published":
            length = config.n_episodes or PUBLISHED_LENGTH
            make: Any = EpisodeTable(replay(spec, index, config.test_seed, length))
            seed = config.test_seed
        else:
            make, length, seed = spec.sampler(index, config.seed), config.n_episodes or N_EPISODES, config.seed
        return EpisodeSet(self.TASK, examples, make, length, config.shots, described(spec, seed))

    def example_options(self) -> dict[str, Any]:
        return {**super().example_options(), "episodes": None, "test_seed": None}


def read_instance(path: Any, place: str, item: Any) -> dict[str, Any]:
    """One TACRED instance; the ends of its entities are inclusive."""
    require_keys(path, place, item, "id", "token", "subj_start", "subj_end", "obj_start", "obj_end", "relation")
    require_types(path, place, item, {"token": List(STRING), "relation": STRING})
    tokens = item["token"]
    if not tokens:
        raise RawFileError(path, place, "token as a list of words", shown(tokens))
    entities = {}
    for key, column in (("subj", "head"), ("obj", "tail")):
        start, end = item[f"{key}_start"], item[f"{key}_end"]
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end < len(tokens)):
            raise RawFileError(path, place, f"{key} within the {len(tokens)} tokens", f"{start} to {end}")
        text = " ".join(tokens[start : end + 1])
        mention = {"start": start, "end": end + 1}
        entities[column] = {"text": text, "id": "", "type": item.get(f"{key}_type", ""), "mentions": [mention]}
    relation, name = item["relation"], str(item["id"]) if type(item["id"]) is int else item["id"]
    row = {"id": name, "tokens": tokens, **entities, "relation": relation, "original_relation": relation}
    require_types(path, place, row, task_of("relation").columns)
    require_words(path, place, tokens)
    require_name(path, place, "relation", relation)
    return row
