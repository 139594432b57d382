"""Cheap draws from few numbers, where a numpy call per draw would cost more than the draw."""

from collections.abc import Iterator


def distinct(uniform: Iterator[float], below: int, number: int) -> list[int]:
    """`number` distinct whole numbers below `below`, in random order: Fisher-Yates that moves only what it must."""
    moved: dict[int, int] = {}
    drawn = []
    for first in range(number):
        other = first + int(next(uniform) * (below - first))
        drawn.append(moved.get(other, other))
        moved[other] = moved.get(first, first)
    return drawn
