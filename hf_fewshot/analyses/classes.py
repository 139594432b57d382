"""Queries with one label: precision, recall and F1 of each class."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.confused import confused_sheets
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.analyses.named_scores import HEADS, f1_charts, named_scores
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.tasks.labels import NOTA, UNPARSED


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """Scores of classes and confused pairs."""
    scores = named_scores(score(episodes, predictions), "per_class")
    rows = [[name, *own.cells] for name, own in scores.items()]
    confused = confused_sheets(episodes, predictions, (NOTA, UNPARSED))
    sheets = [Sheet.of("Scores of each class", ["class", *HEADS], rows), kinds_of_errors(episodes, predictions)]
    return [*sheets, *confused], f1_charts("F1 of each class", {"": scores})


def kinds_of_errors(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Sheet:
    """How often none of the above and classes are taken for each other."""
    gold, found = (
        np.array(list(chain.from_iterable(part)), dtype=object) for part in (references(episodes), predictions)
    )
    is_none, said_none, unparsed = gold == NOTA, found == NOTA, found == UNPARSED
    kinds = {
        "none of the above as a class": (is_none & ~said_none & ~unparsed, is_none),
        "a class as none of the above": (~is_none & said_none, ~is_none),
        "a class as another class": (~is_none & ~said_none & ~unparsed & (gold != found), ~is_none),
        "not parsed": (unparsed, np.ones(len(gold), dtype=bool)),
    }
    rows: list[list[Cell]] = [
        [name, int(wrong.sum()), int(of.sum()), 100 * float(wrong.sum() / of.sum())]
        for name, (wrong, of) in kinds.items()
        if of.any() and (wrong.any() or name != "not parsed")
    ]
    return Sheet.of("Kinds of errors", ["taken", "queries", "of", "share (%)"], rows)
