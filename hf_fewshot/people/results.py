"""The records of a study: of each annotator, or group of annotators, who answered all that is asked."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.people.annotator import Annotator
from hf_fewshot.people.assignment import ANNOTATION
from hf_fewshot.people.plan import Plan
from hf_fewshot.people.questions import Questions
from hf_fewshot.people.summary import Person, StudySummary, chosen_filter, people_of, summary_of
from hf_fewshot.runs.dependencies import dependencies
from hf_fewshot.runs.environment import environment
from hf_fewshot.runs.execution import write_results
from hf_fewshot.runs.predictions import read_predictions
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run
from hf_fewshot.runs.work_done import WorkDone

PREDICTIONS = "predictions.jsonl"


def write_study(
    folder: Path,
    plan: Plan,
    data: Data,
    annotators: Sequence[Annotator],
    *,
    min_training: float | None = None,
    command: str = "",
) -> StudySummary:
    """Writes the records of all who are done, and `people.json`; a record whose answers do no longer count goes.

    Args:
        folder: of the study.
        plan: of it.
        data: that was asked.
        annotators: as far as they are.
        min_training: an annotator with a lower score in the training step is left out; None: as was chosen before, so
            that a server does not take back who was left out.
        command: the command line, for the records.
    """
    questions = Questions(data.episodes)
    min_training = chosen_filter(folder) if min_training is None else min_training
    people = people_of(plan, annotators, questions, min_training)
    records: dict[int, Record] = {}
    for group in range(1, plan.annotators // plan.group_size + 1):
        members = [one for one in people if one.group == group]
        run = plan.run(group)
        if len(members) == plan.group_size and not any(one.left_out for one in members):
            own = [annotators[one.number - 1] for one in members]
            records[group] = _written(folder, plan, group, data, questions, own, command)
        elif (folder / run.name).exists():
            shutil.rmtree(folder / run.name)
    summary = summary_of(_with_groups(people, records), annotators, questions, records, min_training)
    summary.write(folder)
    return summary


def predictions_of(questions: Questions, annotators: Sequence[Annotator]) -> list[list[Any]]:
    """The predictions of annotators who answered all episodes together."""
    given = {one: own.answer for annotator in annotators for one, own in annotator.of_step(ANNOTATION).items()}
    found: list[list[Any]] = [[None] * len(episode.query) for episode in questions.episodes]
    for question, answer in given.items():
        found[question.episode][question.place] = questions.prediction(question, answer)
    return found


def _written(
    folder: Path,
    plan: Plan,
    group: int,
    data: Data,
    questions: Questions,
    annotators: Sequence[Annotator],
    command: str,
) -> Record:
    """The record of a group: read where its answers are the same, else written."""
    run = plan.run(group)
    place = folder / run.name
    predictions = predictions_of(questions, annotators)
    there = _record_of(run, place, data, predictions)
    if there is not None:
        return there
    seconds = [own.seconds for one in annotators for own in one.of_step(ANNOTATION).values()]
    done = WorkDone(
        predictions=predictions,
        environment=environment(1, "no", None),
        started=min(one.joined for one in annotators),
        seconds={"predict": sum(seconds)},
        command=command,
        depends_on=dependencies(data, {}),
        answers={},
    )
    place.mkdir(parents=True, exist_ok=True)
    return write_results(run, place, data, done)


def _record_of(run: Run, place: Path, data: Data, predictions: list[list[Any]]) -> Record | None:
    """The record that is there, if it is that of these predictions; a damaged one is made again."""
    try:
        if read_predictions(place / PREDICTIONS, data.episodes) == predictions:
            record = Record.read(place)
            return record if record.run == run.shown else None
    except (FileNotFoundError, ValueError):
        pass
    return None


def _with_groups(people: list[Person], records: dict[int, Record]) -> list[Person]:
    """Who is done, but somebody else of the group is not, is in no record either."""
    return [
        one if one.left_out or one.group in records else replace(one, left_out="the group is not done")
        for one in people
    ]
