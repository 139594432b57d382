"""What a tracker is told of a run: its name, its group, what is run, and in the end its scores."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from hf_fewshot.tracking.tracked_run import TrackedRun
from hf_fewshot.tracking.trackers import RunArguments

FOLDER = "tracked"  # beside the folders of runs, for trackers that write files and have no place of their own


@contextmanager
def tracked(
    run: Run, tracker: str | None, group: str | None, results: Path, *, resumed: bool, main: bool
) -> Iterator[TrackedRun | None]:
    """A run as a tracker shows it while the block makes it; None where nobody asked for a tracker.

    Args:
        group: None: benchmark and configuration.
        resumed: whether an earlier attempt is gone on with.
        main: whether this process speaks for all.
    """
    if tracker is None:
        yield None
        return
    group = group or run.setting[0]
    folder = results / FOLDER / re.sub(r"[^\w.+-]+", "-", group) / run.name
    shown = RunArguments(run.name, group, run.shown.written, str(folder), resumed=resumed)
    begun = TrackedRun(tracker if main else None, shown)
    begun.begin()
    try:
        yield begun
    finally:
        begun.end()


def final_scores(record: Record) -> dict[str, float]:
    """Scores, the intervals of measures and seconds, by names that trackers put below `test/`.

    Those of single classes, hundreds sometimes, stay in the record.
    """
    found = {f"test_{name}": score for name, score in record.scores.items() if "/" not in name}
    for name, (low, high) in record.intervals.items():
        found |= {f"test_{name}_low": low, f"test_{name}_high": high}
    return found | {f"test_seconds_{step}": taken for step, taken in record.seconds.items()}
