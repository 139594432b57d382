"""The units of records as arrays, and which records have the same ones."""

from collections.abc import Hashable, Sequence

import numpy as np

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.entries import SEEDS
from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.ratios import ratio_of_sums, unit_pairs


def repeats_of(record: Record) -> str:
    """What records of its system differ in on the same data: "seeds", or another word where these are no seeds."""
    entry = SYSTEMS.get(record.run.method)
    return SEEDS if entry is None else entry.repeats


def draw_of(record: Record) -> tuple[Hashable, ...]:
    """The fold and the seed of the episodes."""
    return tuple(record.run.data.get(name) for name in DRAWS)


def named_draw(record: Record) -> str:
    """Seed and draw in words, for messages."""
    data = [f"{name}={record.run.data[name]}" for name in DRAWS if name in record.run.data]
    return ", ".join([f"seed {record.run.seed}", *data])


def units_of(record: Record) -> np.ndarray:
    """Numerators and denominators of the main measure. Shape (n_units, 2)."""
    units = unit_pairs(record.numerators, record.denominators)
    found = ratio_of_sums(record.numerators, record.denominators)
    if abs(found - record.score) > 1e-6:
        raise ValueError(
            f"The units of {record.run.name} give {record.measure} {found:.6f}, but its score is {record.score:.6f}. "
            "The record does not fit together: make it again."
        )
    return units


def share_units(records: Sequence[Record]) -> bool:
    """Whether all records have the same units.

    Domains and questions are told by their names. Episodes are only numbered: they are the same where their
    fingerprints are.
    """
    first = records[0]
    same = all(record.unit == first.unit and record.units == first.units for record in records)
    return same and (first.unit != "episode" or len({fingerprint(record) for record in records}) == 1)


def side_by_side(records: Sequence[Record], blocks: Sequence[np.ndarray]) -> tuple[list[np.ndarray], bool]:
    """The units of each record in rows that mean the same in all, and whether any of them is in several records.

    Draws of one table ask some of its examples again: a question that a record does not have is a row of zeros in its
    block, which counts for nothing. Blocks of records with all units the same, or none, are as they were.

    Args:
        blocks: of each record, shape (n_units, ...).
    """
    shared = share_units(records)
    if shared or any(record.unit != "question" for record in records):
        return list(blocks), shared
    names = list(dict.fromkeys(name for record in records for name in record.units))
    one_each = all(len({*record.units}) == len(record.units) for record in records)
    if len(names) == sum(len(record.units) for record in records) or not one_each:
        return list(blocks), False
    row = {name: number for number, name in enumerate(names)}
    whole = []
    for record, block in zip(records, blocks, strict=True):
        whole.append(np.zeros((len(names), *block.shape[1:])))
        whole[-1][[row[name] for name in record.units]] = block
    return whole, True


def fingerprint(record: Record) -> str | None:
    """Of the episodes."""
    return record.episodes.get("fingerprint")


def by_repeat(records: Sequence[Record]) -> dict[Hashable, Record]:
    """Records of one method in one setting by seed and draw, each of them once."""
    if not records:
        raise ValueError("Expected at least one record, got none.")
    cells = {record.run.cell: record for record in records}
    if len(cells) > 1:
        one, other, *_ = cells.values()
        raise ValueError(
            f"Expected records of one method in one setting, got {one.run.name} and {other.run.name}. "
            "Group them with hf_fewshot.runs.folder.cells."
        )
    measures = {record.measure for record in records}
    if len(measures) > 1:
        raise ValueError(f"Expected records of one measure, got {', '.join(sorted(measures))}. Score them alike.")
    repeats: dict[Hashable, Record] = {}
    prints: dict[Hashable, str | None] = {}
    for record in records:
        key = (record.run.seed, *draw_of(record))
        if key in repeats:
            raise ValueError(f"Several records of {record.run.system}, {named_draw(record)}. Give one of each.")
        repeats[key] = record
        if prints.setdefault(draw_of(record), fingerprint(record)) != fingerprint(record):
            raise ValueError(
                f"Records of {record.run.system} with the same draw ({named_draw(record)}) have different episodes: "
                f"{prints[draw_of(record)]} and {fingerprint(record)}. The data has changed: run all on the same."
            )
    return repeats
