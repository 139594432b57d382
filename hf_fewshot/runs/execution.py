"""Runs a run: predictions first, then scores, then the record."""

import logging
import shutil
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from accelerate import Accelerator

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.units import CONFIDENCE_LEVEL, measure_episodes
from hf_fewshot.progress import stage
from hf_fewshot.runs.analysis_file import FILE_NAME as ANALYSIS
from hf_fewshot.runs.analysis_file import run_analysis
from hf_fewshot.runs.browse import browse_rows
from hf_fewshot.runs.claim import ChangedError, RunInUseError, claimed_run
from hf_fewshot.runs.confusion import confusion
from hf_fewshot.runs.dependencies import changes
from hf_fewshot.runs.folder import EARLIER, set_aside
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.predictions import Header, write_lines, write_predictions
from hf_fewshot.runs.record import FILE_NAME, Record, RecordError
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.runs.tracking import final_scores, tracked
from hf_fewshot.runs.work_done import WorkDone, do
from hf_fewshot.systems.system import Predictions
from hf_fewshot.systems.training import FOLDER as MODELS
from hf_fewshot.systems.training import remove_checkpoints
from hf_fewshot.text.redaction import redacted
from hf_fewshot.tracking.trackers import tracker_callback

__all__ = ["ChangedError", "RunInUseError", "execute", "finished", "recorded", "usable"]

logger = logging.getLogger(__name__)


def finished(run: Run, results: str | Path, *, source: dict[str, Any] | None = None) -> Record | None:
    """The record of a run, if it is there; one that was made from other data, code or files is an error."""
    record = recorded(run, results)
    if record is None:
        return None
    folder = Path(results) / run.name
    found = changes(record, run, data_of(run, source))
    if found:
        raise ChangedError(
            f"{folder} is finished, but what its result depends on has changed since {record.started}: "
            f"{'; '.join(found)}. To keep both results, give another output folder, or run it again (--again, in "
            f"Python again=True): the earlier result then moves to {Path(results) / EARLIER}."
        )
    remove_parts(folder)
    return record


def recorded(run: Run, results: str | Path) -> Record | None:
    """The record of a run, if it is there, whatever has become since of what it was made from."""
    folder = Path(results) / run.name
    if not (folder / FILE_NAME).exists():
        return None
    record = Record.read(folder)
    if record.run.compared != run.compared:
        raise ChangedError(f"{folder} holds the record of another run, {record.run.name}. Move it elsewhere.")
    return record


def execute(
    run: Run,
    results: str | Path,
    *,
    source: dict[str, Any] | None = None,
    accelerator: Accelerator | None = None,
    progress: bool = True,
    command: str = "",
    again: bool = False,
    track: str | None = None,
    group: str | None = None,
) -> Record:
    """The record of a run: read if it is there, else made; an interrupted run goes on where it stopped.

    Args:
        results: the folder of all results; a run has a folder of its own in it.
        source: where raw files are, such as `{"data_dir": folder}`.
        accelerator: the processes that share the work.
        command: the command line, for the record.
        again: make a run again whose data, code or files have changed; what it left before is kept in `earlier`.
            Otherwise it is a `ChangedError`.
        track: the tracker that shows the run while it is made, such as "trackio" (see `tracking.trackers`). The result
            does not depend on it, and no run is lost to one that fails.
        group: the runs that it shows together with this one; None: those of the benchmark.
    """
    if track is not None:
        tracker_callback(track)
    check_runs([run], (source or {}).get("data_dir"))
    folder = Path(results) / run.name
    record = usable(run, results, source, again)
    if record is not None:
        return record
    accelerator = accelerator or Accelerator()
    begun_before = folder.exists() and not (folder / FILE_NAME).exists()
    with claimed_run(folder, accelerator):
        # Another command may have made it while this one came to the lock.
        record = usable(run, results, source, again)
        if record is not None:
            return record
        accelerator.wait_for_everyone()
        if accelerator.is_main_process and (folder / FILE_NAME).exists():
            set_aside(folder)
        accelerator.wait_for_everyone()
        main = accelerator.is_main_process
        with tracked(run, track, group, Path(results), resumed=begun_before, main=main) as shown:
            data, done = do(run, folder, source or {}, accelerator, progress=progress, command=command, tracked=shown)
            record = write_results(run, folder, data, done) if main else record_of(run, data, done)
            if shown is not None:
                shown.log(final_scores(record))
        accelerator.wait_for_everyone()
    return record


def usable(run: Run, results: str | Path, source: dict[str, Any] | None, again: bool) -> Record | None:
    """The record of a run, unless it is to be made, for the first time or again."""
    try:
        return finished(run, results, source=source)
    except (ChangedError, RecordError):
        if not again:
            raise
        return None


def write_results(run: Run, folder: Path, data: Data, done: WorkDone) -> Record:
    """Scores predictions and writes all that is kept of a run: the record last."""
    episodes, predictions, shown = data.episodes, done.predictions, run.shown
    header = Header(
        shown.benchmark, shown.config, shown.data, shown.split, shown.system, episodes.fingerprint, shown.seed
    )
    write_predictions(folder / "predictions.jsonl", header, episodes, predictions)
    record = record_of(run, data, done)
    if builder_of(run.benchmark).MAY_BE_PUBLISHED or run.data.get("sample"):
        write_lines(folder / "browse.jsonl", browse_rows(episodes, predictions))
    with stage("looking into errors"):
        _analyse(shown, folder, episodes, predictions)
    record.write(folder)
    remove_parts(folder)
    return record


def record_of(run: Run, data: Data, done: WorkDone) -> Record:
    """The record of the work of a run."""
    how = {one.name: getattr(done, one.name) for one in fields(done) if one.name != "predictions"}
    return build_record(run, data, done.predictions, **how)


def _analyse(run: Run, folder: Path, episodes: EpisodeSet, predictions: Predictions) -> None:
    """Keeps an analysis for reports; scores do not depend on it, so that one that comes to nothing is a warning."""
    try:
        findings = run_analysis(run, episodes, predictions)
    except ValueError as error:
        logger.warning(f"{run.name} has no analysis: {error}")
        return
    write_lines(folder / ANALYSIS, [findings.to_json()])


def remove_parts(folder: Path) -> None:
    """Removes what a run with a record needs no more, also where it was disturbed at its very end."""
    for parts in folder.glob("predicted-*"):
        shutil.rmtree(parts, ignore_errors=True)  # all of them are in predictions.jsonl
    for link in folder.glob("model*"):
        model = link.resolve()
        # A folder of strangers may link to anywhere.
        if model.parent == (folder.parent / MODELS).resolve():
            remove_checkpoints(model)


def trivial_scores(episodes: EpisodeSet) -> dict[str, float]:
    """The main measure of each trivial baseline of the task."""
    found = {}
    for name in episodes.kind.baselines:
        measured = measure_episodes(episodes, episodes.kind.baseline_predictions(name, episodes))
        found[name] = measured.scores[measured.measure]
    return found


def build_record(
    run: Run,
    data: Data,
    predictions: Sequence[Sequence[Any]],
    *,
    seconds: dict[str, float],
    command: str,
    **how: Any,
) -> Record:
    """The record of predictions: measures them, and the trivial baselines beside them."""
    start = time.perf_counter()
    episodes = data.episodes
    with stage("scoring, with bootstrap intervals"):
        measured = measure_episodes(episodes, predictions)
    with stage("scoring trivial baselines"):
        baselines = trivial_scores(episodes)
    seconds = {**seconds, "score": time.perf_counter() - start}
    return Record(
        run=run.shown,
        task=episodes.task,
        measure=measured.measure,
        scores=measured.scores,
        intervals=measured.intervals,
        confidence_level=CONFIDENCE_LEVEL,
        unit=measured.unit,
        units=measured.units,
        numerators=measured.numerators,
        denominators=measured.denominators,
        baselines=baselines,
        confusion=confusion(episodes, predictions),
        episodes={
            "fingerprint": episodes.fingerprint,
            "n_episodes": len(episodes),
            "n_queries": sum(len(queries) for queries in predictions),
            "official": data.is_official,
        },
        seconds={step: round(taken, 3) for step, taken in seconds.items() if taken},
        command=redacted(command),
        **how,
    )
