"""Runs that count: of repeats that cannot differ, one."""

from collections.abc import Hashable, Sequence
from typing import Any

from hf_fewshot.entries import SEEDS
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.record_units import draw_of


def distinct(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records of a system; one per draw where nothing in it is random, so that seeds change nothing.

    That is so where nothing was trained or tuned, and all seeds gave the same on every unit of every draw. A trained
    system that came to the same scores twice is counted twice.
    """
    draws: dict[Hashable, list[Record]] = {}
    for record in records:
        draws.setdefault(draw_of(record), []).append(record)
    repeated = any(len(repeats) > 1 for repeats in draws.values())
    if not repeated or any(_may_learn(record) for record in records):
        return tuple(records)
    alike = all(_outcome(one) == _outcome(repeats[0]) for repeats in draws.values() for one in repeats)
    return tuple(repeats[0] for repeats in draws.values()) if alike else tuple(records)


def _may_learn(record: Record) -> bool:
    """Whether weights were learned, from training data or support sets; people learn, of others nobody can say."""
    entry = SYSTEMS.get(record.run.method)
    return record.run.training is not None or entry is None or entry.tunes or entry.repeats != SEEDS


def _outcome(record: Record) -> tuple[Any, ...]:
    return record.episodes, record.units, record.numerators, record.denominators, record.scores, record.confusion
