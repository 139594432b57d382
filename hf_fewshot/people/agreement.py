"""How far annotators agree on what several of them were asked: Cohen's kappa of labels, pairwise F1 of marks."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from hf_fewshot.people.annotator import Annotator, Given, Question
from hf_fewshot.people.assignment import ANNOTATION
from hf_fewshot.people.questions import Questions


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators on the queries that both have answered.

    Args:
        first: the number of one.
        second: the number of the other.
        n: how many queries.
        kappa: of their labels; None where there are none, or chance alone would have them agree.
        f1: of their marks, by the measure of the task; None where nothing is marked.
    """

    first: int
    second: int
    n: int
    kappa: float | None
    f1: float | None


def cohens_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Agreement beyond chance of two raters (Cohen 1960); None where both give everything one and the same label."""
    n = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    theirs = Counter(second)
    by_chance = sum(count * theirs[label] for label, count in Counter(first).items()) / n**2
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def agreements(annotators: Sequence[Annotator], questions: Questions) -> list[PairAgreement]:
    """All pairs of annotators who have answered the same queries."""
    given = {one.number: one.of_step(ANNOTATION) for one in annotators}
    found = []
    for first, second in combinations(given, 2):
        shared = [one for one in given[first] if one in given[second]]
        if shared:
            found.append(_agreement(first, second, shared, given, questions))
    return found


def mean(values: Sequence[float | None]) -> float | None:
    """Of those that are known."""
    known = [one for one in values if one is not None]
    return statistics.fmean(known) if known else None


def _agreement(
    first: int,
    second: int,
    shared: list[Question],
    given: Mapping[int, Mapping[Question, Given]],
    questions: Questions,
) -> PairAgreement:
    answers = [[given[number][one].answer for one in shared] for number in (first, second)]
    labels = [[answer.label for answer in own] for own in answers]
    kappa = None
    if None not in labels[0]:
        kappa = cohens_kappa(*([str(label) for label in own] for own in labels))
    f1 = None
    if questions.task.marks_measure and any(answer.marks for own in answers for answer in own):
        predictions = [[questions.prediction(*pair) for pair in zip(shared, own, strict=True)] for own in answers]
        scores = questions.score(predictions[0], predictions[1], [one.episode for one in shared])
        f1 = float(scores[questions.task.marks_measure])
    return PairAgreement(first, second, len(shared), kappa, f1)
