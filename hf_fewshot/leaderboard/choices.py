"""What a reader may choose on a leaderboard: what its boards and entries have, and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass

from hf_fewshot.leaderboard.board import Board
from hf_fewshot.leaderboard.entry import size_in_words
from hf_fewshot.systems.system import WAYS_OF_LEARNING

# Of networks that are called small, base, large, and of language models.
SIZES = (30 * 10**6, 150 * 10**6, 500 * 10**6, 2 * 10**9, 10 * 10**9)


@dataclass(frozen=True)
class Choices:
    """The values of filters, in the order in which they are offered.

    Args:
        ways: N of N-way settings.
        shots: K of K-shot settings.
        learns: how systems learn.
        encoders: and language models.
        sizes: upper bounds of numbers of parameters with their names; none where no number is known.
    """

    ways: tuple[float, ...]
    shots: tuple[float, ...]
    learns: tuple[str, ...]
    encoders: tuple[str, ...]
    sizes: tuple[tuple[int, str], ...]


def choices(boards: Iterable[Board]) -> Choices:
    """What there is to choose."""
    boards = list(boards)
    entries = [entry for board in boards for entry in board.entries]
    learns = {entry.learns for entry in entries}
    counted = any(entry.parameters is not None for entry in entries)
    return Choices(
        ways=_numbers(boards, "n_way"),
        shots=_numbers(boards, "shots"),
        learns=tuple(way for way in WAYS_OF_LEARNING if way in learns),
        encoders=tuple(sorted({entry.line.encoder for entry in entries} - {""}, key=str.casefold)),
        sizes=tuple((size, size_in_words(size)) for size in SIZES if counted),
    )


def _numbers(boards: Iterable[Board], option: str) -> tuple[float, ...]:
    values = [board.table.setting.data.get(option) for board in boards]
    return tuple(sorted({value for value in values if isinstance(value, int | float)}))
