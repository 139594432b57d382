"""Queries with one label: precision, recall and F1 of each class."""

from collections.abc import Sequence
from typing import Any

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.confused import confused_sheets
from hf_fewshot.analyses.findings import Sheet
from hf_fewshot.analyses.named_scores import HEADS, f1_charts, named_scores
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.scoring import score


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """Scores of classes and confused pairs."""
    scores = named_scores(score(episodes, predictions), "per_class")
    rows = [[name, *own.cells] for name, own in scores.items()]
    sheets = [Sheet.of("Scores of each class", ["class", *HEADS], rows), *confused_sheets(episodes, predictions)]
    return sheets, f1_charts("F1 of each class", {"": scores})
