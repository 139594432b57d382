"""A board: all that is known about one setting, the best first."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from hf_fewshot.leaderboard.entry import Entry, entry_of
from hf_fewshot.statistics.ranks import Lead, lead, places
from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.measures import percent, shown
from hf_fewshot.tables.settings import SystemRecords
from hf_fewshot.tables.table import ALL_MODELS, BASELINE, OURS, Table


@dataclass(frozen=True)
class Board:
    """A setting and its entries, from the highest score to the lowest."""

    table: Table
    entries: tuple[Entry, ...]

    @cached_property
    def footnotes(self) -> Footnotes:
        """The notes of its lines."""
        return Footnotes.of([entry.line for entry in self.entries])

    @property
    def number_ranked(self) -> int:
        """How many systems have places."""
        return sum(entry.places is not None for entry in self.entries)

    @property
    def scale(self) -> tuple[float, float]:
        """From where to where intervals are drawn, in percent: those of all systems, and a little beside."""
        measure = self.table.setting.measure
        ends = [
            end
            for entry in self.entries
            if entry.line.kind != BASELINE
            for end in (entry.line.values[measure].mean, entry.line.low, entry.line.high)
            if end is not None
        ]
        margin = max(1.0, 0.05 * (max(ends) - min(ends)))
        return max(0.0, min(ends) - margin), min(100.0, max(ends) + margin)

    def share(self, score: float) -> str:
        """Where on the scale a score lies, in percent of its length; what lies beside it is at its end."""
        low, high = self.scale
        return f"{min(100.0, max(0.0, 100 * (score - low) / (high - low))):.2f}%"

    @cached_property
    def verdict(self) -> str:
        """Who is best, and whether that is certain."""
        ranked = sorted(self.table.setting.systems, key=lambda system: -system.summary.mean)
        best = ranked[0]
        said = f"{best.label} has the highest score, {_score(best)}."
        if len(ranked) == 1:
            said += " No other system was run."
        else:
            second = ranked[1]
            said += f" {_in_words(second, lead(best.records, second.records), self.table.setting.units)}"
        measure = self.table.setting.measure
        trivial = [entry.line for entry in self.entries if entry.line.kind == BASELINE]
        if trivial and (highest := trivial[0].values[measure].mean) >= percent(best.summary.mean):
            said += f" No system is ahead of the trivial answer \N{LEFT DOUBLE QUOTATION MARK}{trivial[0].system}"
            said += f"\N{RIGHT DOUBLE QUOTATION MARK}, which has {shown(highest)}."
        return said


def board(table: Table) -> Board:
    """The board of a table."""
    found = places([system.records for system in table.setting.systems])
    ours = [entry_of(system, line, own) for (system, line), own in zip(table.ours, found, strict=True)]
    others = [Entry(line) for line in table.lines if line.kind not in (OURS, ALL_MODELS)]
    measure = table.setting.measure
    known = [entry for entry in [*ours, *others] if measure in entry.line.values]
    return Board(table, tuple(sorted(known, key=lambda entry: -entry.line.values[measure].mean)))


def best_systems(boards: Iterable[Board], number: int) -> set[str]:
    """The names of the systems that have the best places on some boards."""
    found: dict[str, int] = {}
    for one in boards:
        ranked = [entry for entry in one.entries if entry.places is not None]
        for place, entry in enumerate(ranked):
            found[entry.line.system] = min(place, found.get(entry.line.system, place))
    return set(sorted(found, key=lambda name: (found[name], name))[:number])


def _score(system: SystemRecords) -> str:
    return shown(percent(system.summary.mean))


def _in_words(second: SystemRecords, ahead: Lead, units: str) -> str:
    points = shown(percent(ahead.difference))
    after = f"{second.label} ({_score(second)}) is {points} points behind"
    if ahead.low is None or ahead.high is None:
        return f"{after}; how certain that is, cannot be said."
    how = f"paired on the same {units}" if ahead.paired else f"measured on different {units} or repeats"
    interval = f"interval of the difference {shown(percent(ahead.low))} to {shown(percent(ahead.high))}, {how}"
    if ahead.is_certain:
        return f"{after}, and that is significant ({interval})."
    return f"{after}: the two cannot be told apart ({interval})."
