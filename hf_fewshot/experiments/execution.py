"""Runs a run: predictions first, then scores, then the record."""

import datetime
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accelerate import Accelerator
from filelock import FileLock, Timeout

from hf_fewshot.catalogue import METHODS
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.evaluation.units import CONFIDENCE_LEVEL, Measured, measure_episodes
from hf_fewshot.experiments.baselines import BASELINES, baseline_predictions
from hf_fewshot.experiments.data import Data
from hf_fewshot.experiments.work import Work
from hf_fewshot.registry import BENCHMARKS, SYSTEMS, resolve, unknown
from hf_fewshot.results.browse import browse_rows
from hf_fewshot.results.confusion import confusion
from hf_fewshot.results.environment import environment
from hf_fewshot.results.predictions import Header, write_lines, write_predictions
from hf_fewshot.results.record import FILE_NAME, Record
from hf_fewshot.results.run import Run

# Its texts are licensed to whoever has the data: results are shown without them.
LICENSED = ("fs_tacred",)


class RunInUseError(RuntimeError):
    """Another process works on the same run."""


def execute(
    run: Run,
    results: str | Path,
    *,
    source: dict[str, Any] | None = None,
    accelerator: Accelerator | None = None,
    progress: bool = True,
    command: str = "",
) -> Record:
    """The record of a run: read if it is there, else made; an interrupted run goes on where it stopped.

    Args:
        results: the folder of all results; a run has a folder of its own in it.
        source: where raw files are, such as `{"data_dir": folder}`.
        accelerator: the processes that share the work.
        command: the command line, for the record.
    """
    if run.method not in SYSTEMS:
        raise unknown("method", run.method, SYSTEMS)
    folder = Path(results) / run.name
    if (folder / FILE_NAME).exists():
        return Record.read(folder)
    accelerator = accelerator or Accelerator()
    folder.mkdir(parents=True, exist_ok=True)
    # The processes of one accelerator work together; others on the same run would be in their way.
    lock = FileLock(folder / ".lock")
    if accelerator.is_main_process:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise RunInUseError(f"Another process works on {folder}. Wait for it, or stop it.") from None
    try:
        record = _make(run, folder, source or {}, accelerator, progress, command)
        accelerator.wait_for_everyone()
    finally:
        lock.release()
    return record


def _make(
    run: Run, folder: Path, source: dict[str, Any], accelerator: Accelerator, progress: bool, command: str
) -> Record:
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    work = Work(run, Data(run, source), folder, accelerator, progress)
    fitting = [name for name, entry in METHODS.items() if work.data.task in entry.tasks]
    if run.method not in fitting:
        raise ValueError(
            f"Method {run.method!r} does not fit {run.benchmark}, whose task is {work.data.task}. "
            f"These do: {', '.join(fitting)}."
        )
    predictions = resolve(SYSTEMS[run.method])(work)
    episodes = work.data.episodes
    if accelerator.is_main_process:
        header = Header(run.benchmark, run.config, run.data, run.split, run.system, episodes.fingerprint)
        write_predictions(folder / "predictions.jsonl", header, episodes, predictions)
    with work.timed("score"):
        measured = measure_episodes(episodes, predictions)
        baselines = trivial_scores(episodes)
    record = build_record(
        run,
        episodes,
        predictions,
        measured,
        baselines,
        environment=environment(accelerator.num_processes, accelerator.mixed_precision),
        started=started,
        seconds={step: round(seconds, 3) for step, seconds in work.seconds.items()},
        command=command,
    )
    if accelerator.is_main_process:
        if run.benchmark not in LICENSED or run.data.get("sample"):
            write_lines(folder / "browse.jsonl", browse_rows(episodes, predictions))
        record.write(folder)
        for parts in folder.glob("predicted-*"):
            shutil.rmtree(parts, ignore_errors=True)  # all of them are in predictions.jsonl
    return record


def is_official(run: Run, episodes: EpisodeSet) -> bool:
    """Whether these are the benchmark's own data: neither ours nor a part of it nor other data in its format."""
    if episodes.task == "relation":
        classes = set(episodes.examples["relation"])
    else:
        classes = {name for episode in episodes for name in episode.classes}
    return not run.data.get("sample", False) and resolve(BENCHMARKS[run.benchmark]).recognises(classes)


def trivial_scores(episodes: EpisodeSet) -> dict[str, float]:
    """The main measure of each trivial baseline of the task."""
    found = {}
    for name in BASELINES[episodes.task]:
        measured = measure_episodes(episodes, baseline_predictions(name, episodes))
        found[name] = measured.scores[measured.measure]
    return found


def build_record(
    run: Run,
    episodes: EpisodeSet,
    predictions: Sequence[Sequence[Any]],
    measured: Measured,
    baselines: dict[str, float],
    **how: Any,
) -> Record:
    """The record of measured predictions."""
    return Record(
        run=run,
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
            "official": is_official(run, episodes),
        },
        **how,
    )
