"""The work of a run: its predictions, and all that a record says of how they came about."""

import datetime
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from accelerate import Accelerator

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.runs.dependencies import dependencies, named_things
from hf_fewshot.runs.environment import environment
from hf_fewshot.runs.own_code import is_ours
from hf_fewshot.runs.predictions import require_answers
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.run_data import data_of
from hf_fewshot.systems.options import read_options, system_class
from hf_fewshot.systems.system import Predictions, Setup
from hf_fewshot.systems.work import Work
from hf_fewshot.tracking.tracked_run import TrackedRun


@dataclass(frozen=True)
class WorkDone:
    """Predictions by episode, none for those that were not asked for; the rest are fields of a record."""

    predictions: Predictions
    environment: dict[str, Any]
    started: str
    seconds: dict[str, float]
    command: str
    depends_on: dict[str, Any]
    answers: dict[str, float]


def do(
    run: Run,
    folder: Path,
    source: dict[str, Any],
    accelerator: Accelerator,
    *,
    progress: bool,
    command: str,
    only: range | None = None,
    tracked: TrackedRun | None = None,
) -> tuple[Data, WorkDone]:
    """Makes the system of a run ready and asks it.

    Args:
        folder: for what must survive an interruption.
        only: the episodes that are asked; None: all.
        tracked: who is told of learning curves.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    data = data_of(run, source)
    work = Work(
        name=run.method,
        options=read_options(run.method, run.options),
        given=MappingProxyType(deepcopy(run.options)),
        model_name=run.model,
        training=run.training,
        seed=run.seed,
        data=data,
        folder=folder,
        accelerator=accelerator,
        progress=progress,
        named=named_things(run, data),
        tracked=tracked,
    )
    # What is asked is opened when the system is ready: nothing it learns can come from there.
    system = system_class(run.method).fit(work)
    episodes, asked = work.data.episodes, work.data.unanswered
    require_range(only, len(episodes))
    kept = Setup(accelerator, folder / f"{system.keeps}-{work.read_so_far}", progress, only)
    with work.timed("predict"):
        predictions = system.predict(asked, kept)
    if not is_ours(type(system).__module__):
        require_answers(episodes, predictions, f"Method {run.method!r}")
    done = WorkDone(
        predictions=predictions,
        environment=environment(accelerator.num_processes, accelerator.mixed_precision, system.n_parameters),
        started=started,
        seconds=work.seconds,
        command=command,
        # What was downloaded meanwhile counts too; of the rest, what it was at the beginning.
        depends_on=dependencies(work.data, {**named_things(run, data), **work.named}),
        answers=dict(system.counts),
    )
    return work.data, done


def require_range(only: range | None, n_episodes: int) -> None:
    """Refuses episodes that there are not."""
    if only is not None and (only.stop > n_episodes or not only):
        raise ValueError(
            f"Episodes {only.start}:{only.stop} are asked for, but there are {n_episodes}, numbered from 0. Give a "
            "part of them."
        )
