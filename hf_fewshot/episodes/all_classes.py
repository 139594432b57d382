"""All classes of labelled data at once: some examples of each to learn from, all others to be asked."""

import json

import numpy as np
from datasets import Dataset, concatenate_datasets
from datasets.utils import logging

from hf_fewshot.episodes.class_index import index_examples
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.minimum_including import MinimumIncluding, Scarce
from hf_fewshot.episodes.options import listed, require_draw, require_seed
from hf_fewshot.episodes.sampling import described
from hf_fewshot.tasks import task_of

logger = logging.get_logger("hf_fewshot")


def all_classes(
    task: str,
    examples: Dataset,
    asked: Dataset | None = None,
    *,
    shots: int,
    scarce: Scarce = "error",
    seed: int = 0,
    draw: int = 0,
) -> EpisodeSet:
    """One episode with all classes: each `shots` times in the support set, which is drawn by `seed` and `draw`.

    Where an example has one label these are `shots` examples of each class; where it holds several (types of entities,
    an intent and slots), a set that has each `shots` times and no example that could be left out.

    Args:
        asked: the queries, a test set of its own; None: all examples that are not in the support set.
        scarce: what to do with classes of too few examples: "error", "skip" them with the examples that hold them, or
            learn from "fewer".
    """
    require_seed(seed)
    require_draw(draw)
    spec = MinimumIncluding(shots, None, scarce=scarce, spare=0 if asked is not None else 1)
    sampler = spec.sampler(index_examples(task, examples), seed)
    (group,) = sampler.groups
    support = sampler.support(group, draw)
    if asked is None:
        table = examples
        query = group.rows[np.setdiff1d(np.arange(len(group.rows)), support)]
    else:
        table = concatenate_datasets([examples, asked])
        query = len(examples) + _answerable(task, asked, group.classes, scarce)
    episode = Episode(group.classes, tuple(group.rows[support].tolist()), tuple(query.tolist()))
    _tell_repeats(task, table, episode)
    return EpisodeSet(task, table, lambda _: episode, 1, shots, {**described(spec, seed), "draw": draw})


def _tell_repeats(task: str, table: Dataset, episode: Episode) -> None:
    """Queries that say the same as an example to learn from are easier than they look."""
    labels = {"id", "original_relation", *(column.name for column in task_of(task).class_columns)}
    asked = [name for name in table.column_names if name not in labels]
    said = table.select_columns(asked).to_list()
    known = {json.dumps(said[row], sort_keys=True) for row in episode.support}
    repeats = sum(json.dumps(said[row], sort_keys=True) in known for row in episode.query)
    if repeats:
        logger.warning(
            f"{repeats} of {len(episode.query)} queries are the same as an example that is learnt from, word for "
            "word. Take repeated rows out of the data for a score that means something."
        )


def _answerable(task: str, asked: Dataset, classes: tuple[str, ...], scarce: str) -> np.ndarray:
    """The rows of a test set that hold no class but these; others are an error, or left out."""
    index = index_examples(task, asked)
    foreign = [number for number, name in enumerate(index.classes) if name not in classes]
    if foreign and scarce != "skip":
        counts = {index.classes[number]: len(index.members[number]) for number in foreign}
        raise ValueError(
            f"The test set has classes that the data to learn from has not: {listed(counts)}. Correct it, or use "
            'scarce="skip" to leave their examples out.'
        )
    strange = np.isin(index.class_ids, foreign)
    left_out = np.unique(index.example_of_entry[strange])
    if len(left_out):
        names = {index.classes[number]: len(index.members[number]) for number in foreign}
        logger.warning(f"{len(left_out)} of {len(asked)} test examples are left out: they hold {listed(names)}.")
    rows = np.setdiff1d(np.arange(len(asked)), left_out)
    if not len(rows):
        raise ValueError("No example of the test set has only classes that the data to learn from has.")
    return rows
