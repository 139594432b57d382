"""How much one request may ask for, and how much may wait."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """What a service takes on.

    Args:
        body: bytes of a request.
        texts: queries or examples of a request.
        characters: of one query or example.
        nearest: examples that are given as the reason of an answer.
        queue: queries and examples that wait; a request that finds no room is refused.
        batch: queries that are answered at once. A request is never divided, so one that has more is a batch alone.
        batch_characters: the same, in characters.
        seconds: until a request is answered or given up.
    """

    body: int = 2**20
    texts: int = 256
    characters: int = 10_000
    nearest: int = 100
    queue: int = 1024
    batch: int = 64
    batch_characters: int = 20_000
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if not 0 < value < float("inf"):
                raise ValueError(f"Expected a number above 0 as the limit {one.name!r}, got {value}.")
        if self.queue < self.texts:
            raise ValueError(
                f"A queue of {self.queue} has never room for a request with {self.texts} texts. "
                f"Make it {self.texts} or more, or allow fewer texts."
            )
