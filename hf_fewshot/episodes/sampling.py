"""From an examples table and a specification to a set of sampled episodes."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from datasets import Dataset

from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.memory import require_memory
from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.n_way_k2k import K2KSampler, NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot, NWayKShotSampler
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.options import require_seed, require_whole
from hf_fewshot.registry import TASKS
from hf_fewshot.tasks import task_of

# Whether an example has one label, tags, or both.
LABEL, TAGS, BOTH = [False], [True], [False, True]
SAMPLED: dict[type, tuple[list[bool], ...]] = {
    MinimumIncluding: (TAGS, BOTH),
    NWayK2K: (TAGS,),
    NWayKShot: (LABEL,),
    NaturalNota: (LABEL,),
}
LATER = ("total_query", "spare")
Spec = MinimumIncluding | NWayK2K | NWayKShot | NaturalNota


def make_episodes(examples: Dataset, spec: Spec, *, task: str, length: int, seed: int = 0) -> EpisodeSet:
    """Samples `length` episodes from a table in the schema of `task`.

    Minimum-including episodes stay within a domain where the table has a column of that name.
    """
    if not _samples(type(spec), task):
        fitting = [name for name in TASKS if _samples(type(spec), name)]
        raise ValueError(f"{type(spec).__name__} samples {' or '.join(fitting)} examples, not {task!r}.")
    require_whole(length=length)
    require_seed(seed)
    require_memory(length, getattr(spec, "n_way", None), spec.n_shot, spec.n_query)
    index = index_examples(task, examples)
    sampler: Callable[[int], Episode]
    if isinstance(spec, MinimumIncluding):
        sampler = spec.sampler(index, seed, list(examples["domain"]) if "domain" in examples.column_names else None)
    else:
        sampler = spec.sampler(index, seed)
    return EpisodeSet(task, examples, sampler, length, spec.n_shot, described(spec, seed))


def scarce_classes(episodes: EpisodeSet) -> dict[str, int]:
    """The classes that an episode set never draws, and how often they occur, where its sampler draws classes."""
    sampler = episodes.make
    if isinstance(sampler, NWayKShotSampler):
        targets, named = sampler.targets, {sampler.spec.nota_class}
    elif isinstance(sampler, K2KSampler):
        targets, named = sampler.eligible, set()
    else:
        return {}
    index, drawn = sampler.index, {*targets.tolist()}
    return {
        name: int(index.totals[number])
        for number, name in enumerate(index.classes)
        if number not in drawn and name not in named
    }


def _samples(spec: type, task: str) -> bool:
    return sorted(column.is_tags for column in task_of(task).class_columns) in SAMPLED[spec]


def described(spec: Spec, seed: int) -> dict[str, Any]:
    """A specification as it goes into records; what came later than others is there where it is used."""
    given = {name: value for name, value in asdict(spec).items() if name not in LATER or value}
    return {"sampler": type(spec).__name__, **given, "seed": seed}
