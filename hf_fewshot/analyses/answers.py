"""Sets of answers: S1 by the number of right ones."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.charts import BarChart
from hf_fewshot.analyses.confused import confused_sheets
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references

MOST = 4  # right answers that are told apart


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """S1 by the number of right answers, and which answers are taken for which where each question has one."""
    gold, found = (list(chain.from_iterable(part)) for part in (references(episodes), predictions))
    one_by_one = list(range(len(gold)))
    scores = np.array(episodes.kind.score(found, gold, one_by_one, per_instance=True)["per_instance"])
    sizes, said = (np.array([len(_distinct(answers)) for answers in part]) for part in (gold, found))
    rows: list[list[Cell]] = []
    bars: dict[str, float] = {}
    for number in range(MOST + 1):
        own = sizes >= number if number == MOST else sizes == number
        if own.any():
            name = f"{number} or more" if number == MOST else str(number)
            score = 100 * float(scores[own].mean())
            rows.append([name, int(own.sum()), score, 100 * float((said[own] == 0).mean()), float(said[own].mean())])
            bars[f"{name} right"] = score
    heads = ["right answers", "questions", "S1 (%)", "not answered (%)", "answers given"]
    sheets = [Sheet.of("S1 by number of right answers", heads, rows), *confused_sheets(episodes, predictions)]
    return sheets, [BarChart("S1 by number of right answers", "S1 (%)", {"": bars})]


def _distinct(answers: Sequence[str]) -> set[str]:
    """A blank one is none, as the metric has it."""
    return {answer for answer in answers if answer.strip()}
