"""Entities: F1 of each type, grouped by coarse type with its mean (Few-NERD, Figure 3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.confused import confused_sheets
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.analyses.named_scores import HEADS, f1_charts, named_scores
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.scoring import score
from hf_fewshot.tasks.labels import OUTSIDE, UNPARSED
from hf_fewshot.tasks.tags import by_coarse_type

MEAN = "mean of"


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """Scores of types and coarse types, and which types are taken for which."""
    scores = named_scores(score(episodes, predictions), "per_type")
    grouped = {coarse: {name: scores[name] for name in names} for coarse, names in by_coarse_type(scores).items()}
    rows: list[list[Cell]] = []
    for coarse, own in grouped.items():
        rows += [[name, *one.cells] for name, one in own.items()]
        if len(own) > 1:
            means = np.mean([one[:3] for one in own.values()], axis=0).tolist()
            rows.append([f"{MEAN} {coarse or 'all'}", *means, None, None])
    note = "An entity is right if its words and its type are; a mean is over the types of a coarse type."
    sheet = Sheet.of("Scores of each type", ["type", *HEADS], rows, note)
    confused = confused_sheets(episodes, predictions, (OUTSIDE, UNPARSED))
    return [sheet, *confused], f1_charts("F1 of each type", grouped)
