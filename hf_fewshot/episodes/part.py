"""Queries of an episode that are answered together."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """Queries of an episode that are answered together, and kept together on disk.

    Args:
        index: of the part, in the order of episodes and their queries.
        number: of the episode.
        queries: their rows; none where the whole episode is one part, which need not be drawn to be counted.
    """

    index: int
    number: int
    queries: tuple[int, ...] = ()
