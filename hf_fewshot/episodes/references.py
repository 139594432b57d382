"""What the predictions of episodes are compared with."""

from collections.abc import Iterator
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.tasks.labels import NOTA


def references(episodes: EpisodeSet) -> Iterator[list[Any]]:
    """What would be right for the queries of each episode, in the form of predictions (see `Task.references`)."""
    return episodes.kind.references(episodes.examples, episodes)


def has_none_of_the_above(episodes: EpisodeSet) -> bool:
    """Whether a query may be none of the above; of other tasks it would be an answer as any."""
    return episodes.kind.has_none_of_the_above and any(NOTA in gold for gold in references(episodes))
