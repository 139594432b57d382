"""Errors of relation classification by entity types, by order and by words (Sabo et al., 2021, Section 7.3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.analyses import classes
from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.charts import BarChart, Chart, Histogram
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.analyses.query_pairs import Compared
from hf_fewshot.analyses.ratio_difference import Difference, ratio_difference
from hf_fewshot.episodes.episode import EpisodeSet

EDGES = np.linspace(0, 1, 21)
TEST = (
    "Two-sided p-values of the difference: with the queries of an episode, which share a support set, as one cluster; "
    "and with all queries as if they were independent."
)
SHOTS = "With several support instances of a class, a query counts in parts, one for each of them."


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """Scores of classes, confused pairs, and what errors have in common with the support instances."""
    sheets, charts = classes.analyse(episodes, predictions)
    compared = Compared(episodes, predictions)
    order_sheet, order_charts = by_order(compared)
    overlap_sheet, overlap_charts = by_overlap(compared)
    return [by_types(compared), order_sheet, overlap_sheet, *sheets], [*order_charts, *overlap_charts, *charts]


def by_types(compared: Compared) -> Sheet:
    """How many precision errors chose a class whose support instance has the same ordered pair of entity types."""
    pairs = compared.with_wrong_class()
    types = compared.type_pairs
    known = (types[pairs.query_row] >= 0) & (types[pairs.support_row] >= 0)
    heads = ["precision errors", "with known types", "same pair of types (%)"]
    title = "Precision errors by entity types"
    if not known.any():
        reason = "The data has no entity types." if (types < 0).all() else "There are no such errors."
        return Sheet.of(title, heads, [[len(pairs.hits), 0, None]], reason)
    queries = np.unique(pairs.query[known])
    same = types[pairs.query_row] == types[pairs.support_row]
    parts = np.bincount(pairs.query, known & same, len(pairs.hits)) / np.maximum(
        np.bincount(pairs.query, known, len(pairs.hits)), 1
    )
    note = f"A precision error: a class was predicted, and it is not the right answer. {SHOTS}"
    return Sheet.of(title, heads, [[len(pairs.hits), len(queries), 100 * float(parts[queries].mean())]], note)


def by_order(compared: Compared) -> tuple[Sheet, list[Chart]]:
    """Recall by whether head and tail come in the same order in query and support instance."""
    pairs = compared.with_right_class()
    first = compared.head_is_first
    same = pairs.per_query(first[pairs.query_row] == first[pairs.support_row]) if len(pairs.hits) else np.zeros(0)
    parts = {"same order": same, "other order": 1 - same}
    tested = [(pairs.hits * part, part) for part in parts.values()]
    differences = _both_tests(tested, pairs.episodes)
    recalls = (differences[0].first, differences[0].second)
    rows: list[list[Cell]] = [
        [name, _number(float(part.sum())), _percent(recall)]
        for (name, part), recall in zip(parts.items(), recalls, strict=True)
    ]
    sheet = Sheet.of(
        "Recall by order of head and tail",
        ["order", "queries", "recall (%)", *_P_HEADS],
        [[*row, *_p_cells(differences, place)] for place, row in enumerate(rows)],
        f"Of queries that have a class of their episode, beside its support instances. {SHOTS} {TEST}",
    )
    bars = {name: 100 * recall for name, recall in zip(parts, recalls, strict=True) if recall is not None}
    return sheet, [BarChart("Recall by order of head and tail", "recall (%)", {"": bars})] if bars else []


def by_overlap(compared: Compared) -> tuple[Sheet, list[Chart]]:
    """The Jaccard overlap of the words of query and right support instance, of hits and of misses."""
    pairs = compared.with_right_class()
    overlaps = pairs.per_query(compared.overlaps(pairs)) if len(pairs.hits) else np.zeros(0)
    parts = {"hits": pairs.hits.astype(float), "misses": (~pairs.hits).astype(float)}
    differences = _both_tests([(overlaps * part, part) for part in parts.values()], pairs.episodes)
    means = (differences[0].first, differences[0].second)
    sheet = Sheet.of(
        "Overlap of words of query and support",
        ["queries that are", "queries", "mean overlap", *_P_HEADS],
        [
            [name, int(part.sum()), mean, *_p_cells(differences, place)]
            for place, ((name, part), mean) in enumerate(zip(parts.items(), means, strict=True))
        ],
        "Common words over all words of both, in lower case; the mean over the support instances of the right class. "
        f"{TEST}",
    )
    series = {
        name: tuple((100 * np.histogram(overlaps[part > 0], EDGES)[0] / part.sum()).tolist())
        for name, part in parts.items()
        if part.any()
    }
    title = "Overlap of words of query and support"
    charts: list[Chart] = [Histogram(title, "Jaccard overlap", tuple(EDGES.tolist()), series)] if series else []
    return sheet, charts


_P_HEADS = ("p, episodes", "p, queries")


def _both_tests(parts: list[tuple[np.ndarray, np.ndarray]], episodes: np.ndarray) -> tuple[Difference, Difference]:
    first, second = parts
    return ratio_difference(first, second, episodes), ratio_difference(first, second, np.arange(len(episodes)))


def _p_cells(differences: tuple[Difference, Difference], place: int) -> list[Cell]:
    """The p-values stand in the first row."""
    return [one.p if place == 0 else None for one in differences]


def _number(value: float) -> int | float:
    """A whole number as such."""
    return int(value) if value.is_integer() else value


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
