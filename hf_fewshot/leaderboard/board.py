"""A board: all that is known about one setting, the best first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hf_fewshot.leaderboard.entry import Entry, entry_of
from hf_fewshot.statistics.ranks import Contender, Lead, lead, places
from hf_fewshot.statistics.record_units import by_repeat, draw_of
from hf_fewshot.tables.footnotes import Footnotes
from hf_fewshot.tables.measures import percent, shown
from hf_fewshot.tables.settings import Setting, SystemRecords
from hf_fewshot.tables.table import ALL_MODELS, BASELINE, OURS, Table


@dataclass(frozen=True)
class Board:
    """A setting and its entries, from the highest score to the lowest.

    Args:
        table: of the setting.
        entries: systems, trivial baselines and published scores.
        verdict: who is best, and whether that is certain.
    """

    table: Table
    entries: tuple[Entry, ...]
    verdict: str

    @cached_property
    def footnotes(self) -> Footnotes:
        """The notes of its lines."""
        return Footnotes.of([entry.line for entry in self.entries])

    @property
    def number_ranked(self) -> int:
        """How many systems have places."""
        return sum(entry.places is not None for entry in self.entries)

    @cached_property
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


def board(table: Table) -> Board:
    """The board of a table."""
    contenders = [_contender(table.setting, system) for system in table.setting.systems]
    found = places(contenders)
    ours = [entry_of(system, line, own) for (system, line), own in zip(table.ours, found, strict=True)]
    others = [Entry(line) for line in table.lines if line.kind not in (OURS, ALL_MODELS)]
    measure = table.setting.measure
    known = [entry for entry in [*ours, *others] if measure in entry.line.values]
    entries = tuple(sorted(known, key=lambda entry: -entry.line.values[measure].mean))
    ranked = [(line.system, one) for (_, line), one in zip(table.ours, contenders, strict=True)]
    ranked.sort(key=lambda named: -named[1].summary.mean)
    return Board(table, entries, _verdict(ranked, entries, table.setting))


def _contender(setting: Setting, system: SystemRecords) -> Contender:
    """A system by what its line reports; median models have seeds of their own, so draws alone make pairs of them."""
    reported = setting.reported(system)
    if setting.reports_median_model and reported.n_models == 1:
        return Contender({draw_of(record): record for record in reported.records}, reported.summary)
    return Contender(by_repeat(reported.records), reported.summary)


def best_systems(boards: Iterable[Board], number: int) -> set[str]:
    """The names of the systems that have the best places on some boards."""
    found: dict[str, int] = {}
    for one in boards:
        ranked = [entry for entry in one.entries if entry.places is not None]
        for place, entry in enumerate(ranked):
            found[entry.line.system] = min(place, found.get(entry.line.system, place))
    return set(sorted(found, key=lambda name: (found[name], name))[:number])


def _verdict(ranked: Sequence[tuple[str, Contender]], entries: Iterable[Entry], setting: Setting) -> str:
    """Who is best, and whether that is certain."""
    name, best = ranked[0]
    said = f"{name} has the highest score, {_score(best)}."
    said += f" {_in_words(best, *ranked[1], setting.units)}" if len(ranked) > 1 else " No other system was run."
    trivial = next((entry.line for entry in entries if entry.line.kind == BASELINE), None)
    if trivial is not None and trivial.values[setting.measure].mean >= percent(best.summary.mean):
        said += f" No system is ahead of the trivial answer \N{LEFT DOUBLE QUOTATION MARK}{trivial.system}"
        said += f"\N{RIGHT DOUBLE QUOTATION MARK}, which has {shown(trivial.values[setting.measure].mean)}."
    return said


def _score(one: Contender) -> str:
    return shown(percent(one.summary.mean))


def _in_words(best: Contender, name: str, second: Contender, units: str) -> str:
    ahead: Lead = lead(best, second)
    points = shown(percent(ahead.difference))
    after = f"{name} ({_score(second)}) is {points} points behind"
    if ahead.low is None or ahead.high is None:
        return f"{after}; how certain that is, cannot be said."
    how = f"paired on the same {units}" if ahead.is_paired else f"measured on different {units} or repeats"
    interval = f"interval of the difference {shown(percent(ahead.low))} to {shown(percent(ahead.high))}, {how}"
    if ahead.is_certain:
        return f"{after}, and that is significant ({interval})."
    return f"{after}: the two cannot be told apart ({interval})."
