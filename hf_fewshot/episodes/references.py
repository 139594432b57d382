"""What the predictions of episodes are compared with."""

from collections.abc import Iterator
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet


def references(episodes: EpisodeSet) -> Iterator[list[Any]]:
    """What would be right for the queries of each episode, in the form of predictions (see `Task.references`)."""
    return episodes.kind.references(episodes.examples, episodes)
