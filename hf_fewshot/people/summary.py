"""How a study is going, in numbers: each annotator's training, time and score, and how far they agree."""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.people.agreement import PairAgreement, agreements, mean
from hf_fewshot.people.annotator import Annotator
from hf_fewshot.people.assignment import ANNOTATION, TRAINING, group_of
from hf_fewshot.people.plan import Plan
from hf_fewshot.people.questions import Questions
from hf_fewshot.runs.record import Record

FILE_NAME = "people.json"
FORMAT, VERSION = "hf_fewshot/people", 1


@dataclass(frozen=True)
class Person:
    """One annotator.

    Args:
        number: from 1.
        name: as it was given.
        group: that answers all episodes together; the seed of its record.
        answered: how many queries so far.
        queries: how many are asked.
        training: the main measure on the support examples; None where there were none.
        seconds: the median time of a query; None before the first.
        left_out: why the answers are in no record; "" where they are.
    """

    number: int
    name: str
    group: int
    answered: int
    queries: int
    training: float | None
    seconds: float | None
    left_out: str


@dataclass(frozen=True)
class StudySummary:
    """All annotators of a study.

    Args:
        people: in the order of their numbers.
        measure: the main one.
        scores: of the records, by their seeds.
        agreements: of pairs of annotators, whether they are in a record or not.
        min_training: below which an annotator is left out; None: nobody is.
    """

    people: list[Person]
    measure: str
    scores: dict[int, float]
    agreements: list[PairAgreement]
    min_training: float | None

    @property
    def mean(self) -> float | None:
        """Of the scores."""
        return mean([*self.scores.values()])

    @property
    def std(self) -> float | None:
        """The sample standard deviation of the scores; None of one."""
        return statistics.stdev(self.scores.values()) if len(self.scores) > 1 else None

    @property
    def kappa(self) -> float | None:
        """The mean of all pairs."""
        return mean([one.kappa for one in self.agreements])

    @property
    def f1(self) -> float | None:
        """The mean of all pairs."""
        return mean([one.f1 for one in self.agreements])

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        sums = {name: getattr(self, name) for name in ("mean", "std", "kappa", "f1")}
        return {"format": FORMAT, "version": VERSION, **asdict(self), **sums}

    def write(self, folder: Path) -> Path:
        """Writes `people.json`; it appears when it is whole."""
        path = folder / FILE_NAME
        with whole_file(path) as unfinished:
            unfinished.write_text(json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return path


def chosen_filter(folder: Path) -> float | None:
    """The `min_training` that was chosen last for the study in a folder; None where none was."""
    try:
        content = strict_json((folder / FILE_NAME).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    found = content.get("min_training") if isinstance(content, dict) else None
    return float(found) if isinstance(found, int | float) else None


def training_score(annotator: Annotator, questions: Questions) -> float | None:
    """The main measure on the support examples as they were answered; None where there were none."""
    given = annotator.of_step(TRAINING)
    if not given:
        return None
    answered = [questions.prediction(one, own.answer) for one, own in given.items()]
    right = [questions.right_predictions(one.episode)[one.place] for one in given]
    return float(questions.score(answered, right, [one.episode for one in given])[questions.task.measure])


def people_of(
    plan: Plan, annotators: Sequence[Annotator], questions: Questions, min_training: float | None
) -> list[Person]:
    """All annotators in numbers, and why some are left out."""
    people = []
    for annotator in annotators:
        given = annotator.of_step(ANNOTATION)
        training = training_score(annotator, questions)
        left_out = ""
        if not annotator.is_done:
            left_out = "not done"
        elif min_training is not None and training is not None and training < min_training:
            left_out = f"training below {min_training:g}"
        people.append(
            Person(
                annotator.number,
                annotator.name,
                group_of(plan, annotator.number),
                len(given),
                annotator.n_queries,
                training,
                statistics.median(one.seconds for one in given.values()) if given else None,
                left_out,
            )
        )
    return people


def summary_of(
    people: list[Person],
    annotators: Sequence[Annotator],
    questions: Questions,
    records: Mapping[int, Record],
    min_training: float | None,
) -> StudySummary:
    """The whole study, once its records are there."""
    scores = {seed: record.score for seed, record in sorted(records.items())}
    return StudySummary(people, questions.task.measure, scores, agreements(annotators, questions), min_training)
