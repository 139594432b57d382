"""The summary of one cell of a results table: a method in a setting, over seeds and draws."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hf_fewshot.runs.record import Record
from hf_fewshot.statistics.intervals import has_no_width, mean_interval
from hf_fewshot.statistics.record_units import by_repeat, draw_of, repeats_of, side_by_side, units_of
from hf_fewshot.statistics.repeats import mean_and_std


@dataclass(frozen=True)
class Summary:
    """The main measure of repeated runs; scores are fractions from 0 to 1.

    Args:
        measure: its name.
        n: number of records.
        mean: over records.
        std: sample standard deviation over records; None of one record.
        median: over records.
        low: lower end of the confidence interval of the mean; None where nothing can be said (one record, one unit).
        high: upper end.
        confidence_level: of the interval.
        sources: what the interval accounts for: "units", "seeds" (of people "annotators"), "draws".
        n_units: number of different units.
    """

    measure: str
    n: int
    mean: float
    std: float | None
    median: float
    low: float | None
    high: float | None
    confidence_level: float
    sources: tuple[str, ...]
    n_units: int

    @property
    def says_nothing(self) -> bool:
        """Whether the interval has no width, since all units gave the same."""
        return has_no_width(self.low, self.high)


def summary(records: Sequence[Record], *, confidence_level: float = 0.95) -> Summary:
    """Sums up the records of one cell (see `hf_fewshot.runs.folder.cells`).

    The interval of one record is the bootstrap interval over its units that the record holds, or is made again from
    its units where that has another level or is what somebody else says. Of several, it is that of their mean, for
    other seeds, draws and units alike: `hf_fewshot.statistics.intervals` says how. A bootstrap over the units of all
    repeats would take a question asked under five seeds for five questions; a t-interval over seeds alone would take
    the test set for all there is.
    """
    repeats = list(by_repeat(records).values())
    scores = [record.score for record in repeats]
    mean, std = mean_and_std(scores)
    first = repeats[0]
    low: float | None
    high: float | None
    sources: tuple[str, ...]
    blocks, shared = side_by_side(repeats, [units_of(record)[:, None] for record in repeats])
    is_held = first.measure in first.intervals and first.confidence_level == confidence_level and not first.origin
    if len(repeats) == 1 and is_held:
        (low, high), sources = first.intervals[first.measure], ("units",)
    else:
        low, high, sources = mean_interval(
            blocks,
            repeats={
                repeats_of(first): [record.run.seed for record in repeats],
                "draws": [draw_of(record) for record in repeats],
            },
            shared_units=shared,
            confidence_level=confidence_level,
        )
    return Summary(
        measure=first.measure,
        n=len(repeats),
        mean=mean,
        std=std,
        median=statistics.median(scores),
        low=None if low is None else max(0.0, low),
        high=None if high is None else min(1.0, high),
        confidence_level=confidence_level,
        sources=sources,
        n_units=len(blocks[0]) if shared else sum(map(len, blocks)),
    )
