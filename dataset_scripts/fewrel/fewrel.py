"""FewRel 1.0 and 2.0 (Han et al., 2018; Gao et al., 2019): relation classification with none-of-the-above."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from datasets import Dataset, Value

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TRAIN, VALIDATION
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json,
    require_keys,
    require_name,
    require_types,
    require_words,
    shown,
)
from hf_fewshot.files.sources import RawFilesNotFoundError, Repository
from hf_fewshot.tasks import task_of

NAMES = "data/pid2name.json"
DOMAINS = ("wiki", "nyt", "pubmed", "semeval")
N_EPISODES = 1_000


@dataclass
class FewRelConfig(FewShotConfig):
    """Options of FewRel. With `n_way` and `shots` a row is an episode, else an instance.

    Args:
        domain: text of the validation relations: "wiki" (FewRel 1.0), or another one to adapt to (FewRel 2.0).
        n_way: number of relations of an episode.
        shots: support instances per relation.
        n_query: queries per relation.
        nota_rate: probability that a query has none of the relations (the paper's definition).
        na_rate: such queries per query of a relation, beside the others (the toolkit's definition: 1, 2, 5).
        total_query: queries of an episode in all, with nota_rate (3 in the training of Sabo et al., 2021).
        train_rows: so many training instances at most, drawn with `seed`; None: all of them.
    """

    N_EPISODES: ClassVar = N_EPISODES

    domain: str = "wiki"
    n_way: int | None = None
    shots: int | None = None
    n_query: int = 1
    nota_rate: float | None = None
    na_rate: float | None = None
    total_query: int | None = None
    train_rows: int | None = None

    @property
    def makes_episodes(self) -> bool:
        return self.n_way is not None

    def check(self) -> None:
        super().check()
        self.require("domain", *DOMAINS)
        if (self.n_way is None) != (self.shots is None):
            raise ValueError(f"n_way={self.n_way} and shots={self.shots}: give both for episodes, none for instances.")
        if self.train_rows is not None:
            require_whole(train_rows=self.train_rows)
        if self.makes_episodes:
            self.spec()
        else:
            names = ("n_query", "nota_rate", "na_rate", "total_query", "train_rows", "seed", "n_episodes")
            self.refuse_unused("on instances: give n_way and shots", *names)

    def spec(self) -> NWayKShot:
        """How episodes are sampled."""
        sizes = (self.n_way or 0, self.shots or 0, self.n_query)
        return NWayKShot(*sizes, self.nota_rate, self.na_rate, total_query=self.total_query)


class FewRel(FewShotBuilder):
    """Builder of FewRel. The hidden test set is not published: evaluation is on validation."""

    NAME = "fewrel"
    TASK = "relation"
    SPLITS = (TRAIN, VALIDATION)  # the test set is hidden
    BUILDER_CONFIG_CLASS = FewRelConfig
    BUILDER_CONFIGS: ClassVar = [FewRelConfig(name="default", description="Training on wiki, validation on `domain`")]
    DEFAULT_CONFIG_NAME = "default"
    REPOSITORY = Repository(
        "FewRel",
        "https://github.com/thunlp/FewRel",
        "https://raw.githubusercontent.com/thunlp/FewRel/HEAD",
        Path(__file__).with_name("checksums.txt"),
    )
    LICENSE = "MIT"
    ABOUT = "relations with none-of-the-above, two domains"
    AXES = ("n_way", "shots", "nota_rate", "na_rate")
    SHOWN: ClassVar = {"n_way": 5, "shots": 1, "nota_rate": 0.5, "n_episodes": 20}
    MEASURES = ("accuracy", "f1", "precision", "recall")
    OPTIONAL_FILES = (NAMES,)
    DESCRIPTION = (
        "FewRel: relation classification from a few instances. 64 training and 16 validation relations of Wikipedia "
        "with 700 instances each; FewRel 2.0 adds validation relations of other domains and queries with none of the "
        "relations."
    )
    CITATION = """@inproceedings{gao2019fewrel,
  title = {FewRel 2.0: Towards More Challenging Few-Shot Relation Classification},
  author = {Gao, Tianyu and Han, Xu and Zhu, Hao and Liu, Zhiyuan and Li, Peng and Sun, Maosong and Zhou, Jie},
  booktitle = {EMNLP-IJCNLP},
  year = {2019}
}"""

    @classmethod
    def reports_median_model(cls, options: Mapping[str, Any]) -> bool:
        # Sabo et al. (2021), who have none-of-the-above; others report one score.
        return any(options.get(name) is not None for name in ("nota_rate", "na_rate"))

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        return {TRAIN: ("data/train_wiki.json",), VALIDATION: (f"data/val_{self.config.domain}.json",)}

    def extra_columns(self) -> dict[str, Any]:
        return {"relation_name": Value("string")}

    @cached_property
    def relation_names(self) -> dict[str, str]:
        """What the identifiers of Wikidata mean; nothing where the file is not there."""
        file = self.optional_files.get(NAMES)
        if file is None:
            return {}
        found = read_json(file, dict)
        for identifier, names in found.items():
            if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
                raise RawFileError(file, f"relation {identifier!r}", "[name, description]", shown(names))
        return {identifier: names[0] for identifier, names in found.items()}

    @cached_property
    def optional_files(self) -> dict[str, Path]:
        try:
            return {NAMES: self.source.find(NAMES)}
        except RawFilesNotFoundError:
            return {}

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        for file in self.files[split].values():
            for relation, instances in read_json(file, dict).items():
                if not isinstance(instances, list):
                    raise RawFileError(file, f"relation {relation!r}", "a list of instances", shown(instances))
                require_name(file, "the document", "relation", relation)
                for number, item in enumerate(instances):
                    place = f"relation {relation!r}, instance {number + 1}"
                    row = read_instance(file, place, f"{file.stem}-{relation}-{number}", relation, item)
                    yield {**row, "relation_name": self.relation_names.get(relation, relation)}

    def sampled_episodes(self, split: str) -> EpisodeSet:
        config = self.config
        length = config.n_episodes or N_EPISODES
        examples = self.examples(split)
        if split == TRAIN and config.train_rows is not None:
            examples = some_rows(examples, config.train_rows, config.seed)
        return make_episodes(examples, config.spec(), task=self.TASK, length=length, seed=config.seed)

    def example_options(self) -> dict[str, Any]:
        left_out = ("nota_rate", "na_rate", "total_query", "train_rows")
        return {**super().example_options(), **dict.fromkeys(left_out)}


def some_rows(examples: Dataset, most: int, seed: int) -> Dataset:
    """At most so many of the rows, in their order; the same seed draws the same."""
    order = np.random.default_rng([seed, len(examples)]).permutation(len(examples))
    return examples.select(np.sort(order[:most]))


def read_instance(path: Path, place: str, name: str, relation: str, item: Any) -> dict[str, Any]:
    """One instance; `h` and `t` are [text, id, [[token positions of a mention], ...]]."""
    require_keys(path, place, item, "tokens", "h", "t")
    tokens = item["tokens"]
    if not isinstance(tokens, list) or not tokens:
        raise RawFileError(path, place, "tokens as a list of words", shown(tokens))
    entities = {}
    for key, column in (("h", "head"), ("t", "tail")):
        entity = item[key]
        if not isinstance(entity, list) or len(entity) != 3 or not isinstance(entity[2], list) or not entity[2]:
            raise RawFileError(path, place, f"{key} as [text, id, mentions]", shown(entity))
        for mention in entity[2]:
            # A mention is a run of positions, so its ends say it all.
            if not _is_run(mention):
                raise RawFileError(path, place, f"{key} mentions as runs of token positions", shown(mention))
            if mention[-1] >= len(tokens):
                raise RawFileError(path, place, f"{key} within the {len(tokens)} tokens", f"position {mention[-1]}")
        mentions = [{"start": mention[0], "end": mention[-1] + 1} for mention in entity[2]]
        identifier = "" if entity[1] is None else entity[1]
        entities[column] = {"text": entity[0], "id": identifier, "type": "", "mentions": mentions}
    row = {"id": name, "tokens": tokens, **entities, "relation": relation, "original_relation": relation}
    require_types(path, place, row, task_of("relation").columns)
    require_words(path, place, tokens)
    return row


def _is_run(mention: Any) -> bool:
    """Whether a mention lists token positions that follow each other."""
    if not isinstance(mention, list) or not mention or not isinstance(mention[0], int) or mention[0] < 0:
        return False
    return mention == list(range(mention[0], mention[0] + len(mention)))
