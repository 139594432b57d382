"""An entry of a leaderboard: a line of a table, and what a reader may filter it by."""

import hashlib
import re
from dataclasses import dataclass

from hf_fewshot.registry import SYSTEMS
from hf_fewshot.runs.run import Run
from hf_fewshot.statistics.ranks import Places
from hf_fewshot.systems.options import system_class
from hf_fewshot.systems.system import FROZEN, TRAINED
from hf_fewshot.tables.settings import SystemRecords
from hf_fewshot.tables.table import TableLine

NAMED_PARAMETERS = ((10**9, "B"), (10**6, "M"), (10**3, "k"))


@dataclass(frozen=True)
class Entry:
    """A system in a setting.

    Args:
        line: its scores; ours, trivial or published.
        places: the best and the worst place it may have; None of what is not ranked.
        learns: how (one of WAYS_OF_LEARNING); nothing where that is not known.
        parameters: how many numbers its networks are; None where that is not known.
        origins: the repositories that its records were downloaded from; none of this machine.
        page: of the system; None of trivial baselines and published scores.
        started: the day of its newest run.
    """

    line: TableLine
    places: Places | None = None
    learns: str = ""
    parameters: int | None = None
    origins: tuple[str, ...] = ()
    page: str | None = None
    started: str = ""

    @property
    def place(self) -> str:
        """The place in words: "1", or "2-5" where it cannot be told from others."""
        if self.places is None:
            return ""
        first, last = self.places
        return str(first) if first == last else f"{first}\N{EN DASH}{last}"

    @property
    def size(self) -> str:
        """The number of parameters for people; nothing where it is not known."""
        return "" if self.parameters is None else size_in_words(self.parameters)


def size_in_words(parameters: int) -> str:
    """A number of parameters for people, such as "22.7M"."""
    for unit, letter in NAMED_PARAMETERS:
        if parameters >= unit:
            return f"{parameters / unit:.3g}{letter}"
    return str(parameters)


def way_of_learning(run: Run) -> str:
    """How the system of a run has learned; a method that is not installed here says nothing of itself."""
    if run.method not in SYSTEMS:
        return TRAINED if run.training else FROZEN
    return system_class(run.method).way_of_learning(run.options, run.training is not None)


def entry_of(system: SystemRecords, line: TableLine, places: Places) -> Entry:
    """The entry of a system that was run."""
    sizes = {record.environment.get("parameters") for record in system.records}
    return Entry(
        line,
        places,
        learns=way_of_learning(system.records[0].run),
        parameters=sizes.pop() if len(sizes) == 1 else None,
        origins=tuple(sorted({record.origin for record in system.records if record.origin})),
        page=page_name(system),
        started=max(record.started for record in system.records)[:10],
    )


def page_name(system: SystemRecords) -> str:
    """The file of a system's page: readable, and the same for the same system in all settings of a benchmark."""
    name = f"{system.records[0].run.benchmark} {system.label} {system.model}"
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100]
    return f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:16]}.html"
