"""Who answers which episodes, and in which order: a function of the plan, the episodes and the number alone."""

from dataclasses import dataclass

import numpy as np

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.people.plan import Plan, StudyError

TRAINING, ANNOTATION = "training", "annotation"


@dataclass(frozen=True)
class Stage:
    """A step of an episode: its support examples, or its queries, as one annotator comes by them.

    Args:
        episode: its number.
        step: "training" or "annotation".
        order: the places of the examples in the support or query set.
    """

    episode: int
    step: str
    order: tuple[int, ...]


def group_of(plan: Plan, number: int) -> int:
    """The group of an annotator, from 1: those who answer all episodes together."""
    return (number - 1) // plan.group_size + 1


def episodes_of(plan: Plan, number: int, n_episodes: int) -> range:
    """The episodes that an annotator answers; those of a group are dealt out to it in equal stretches."""
    if plan.group_size > n_episodes:
        raise StudyError(
            f"Each episode is to be answered by {plan.share} of {plan.annotators} annotators, so {plan.group_size} "
            f"share {n_episodes} episodes, and some would have none. Take more episodes, or a larger --share."
        )
    place = (number - 1) % plan.group_size
    first, stop = (n_episodes * end // plan.group_size for end in (place, place + 1))
    return range(first, stop)


def stages_of(plan: Plan, number: int, episodes: EpisodeSet) -> list[Stage]:
    """All that an annotator goes through."""
    stages = []
    for index in episodes_of(plan, number, len(episodes)):
        episode = episodes[index]
        random = np.random.default_rng([plan.seed, number, index])
        parts = {TRAINING: () if plan.zero_shots else episode.support, ANNOTATION: episode.query}
        for step, rows in parts.items():
            order = tuple(random.permutation(len(rows)).tolist())
            if order:
                stages.append(Stage(index, step, order))
    return stages
