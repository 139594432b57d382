"""Errors of relation classification by entity types, by order and by words (Sabo et al., 2021, Section 7.3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.analyses import classes
from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.charts import BarChart, Chart, Histogram
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.analyses.query_pairs import Compared, QueryPairs
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
    """How often a wrongly predicted class has the query's ordered pair of entity types, beside those passed over."""
    types = compared.type_pairs
    parts = {"predicted": compared.with_wrong_class(), "passed over": compared.with_passed_over_classes()}
    shares = [_same_types(pairs, types) for pairs in parts.values()]
    sizes = [len(pairs.hits) for pairs in parts.values()]
    # All items stand in both parts of a ratio: those of the other one as nothing.
    around = [(0, sizes[1]), (sizes[0], 0)]
    tested = [(np.pad(same, empty), np.pad(known, empty)) for (same, known), empty in zip(shares, around, strict=True)]
    episodes, rows = (np.concatenate([getattr(one, name) for one in parts.values()]) for name in ("episodes", "row"))
    _, queries = np.unique(np.stack([episodes, rows]), axis=1, return_inverse=True)
    differences = _both_tests(tested, episodes, queries.reshape(-1))
    found = (differences[0].first, differences[0].second)
    note = (
        "A precision error: a class was predicted, and it is not the right answer. Passed over: the classes of its "
        f"episode that are neither predicted nor right. {SHOTS} {TEST}"
    )
    if not any(known.any() for _, known in shares):
        note = "The data has no entity types." if (types < 0).all() else "There are no such errors."
    return Sheet.of(
        "Precision errors by entity types",
        ["class", "precision errors", "with known types", "same pair of types (%)", *_P_HEADS],
        [
            [name, size, int(known.sum()), _percent(share), *_p_cells(differences, place)]
            for place, (name, size, (_, known), share) in enumerate(zip(parts, sizes, shares, found, strict=True))
        ],
        note,
    )


def _same_types(pairs: QueryPairs, types: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each query, the share of pairs with the same types among those with known ones, and whether it has any."""
    known = (types[pairs.query_row] >= 0) & (types[pairs.support_row] >= 0)
    same = known & (types[pairs.query_row] == types[pairs.support_row])
    counts = [np.bincount(pairs.query, which, len(pairs.hits)) for which in (same, known)]
    return counts[0] / np.maximum(counts[1], 1), (counts[1] > 0).astype(float)


def by_order(compared: Compared) -> tuple[Sheet, list[Chart]]:
    """Recall by whether head and tail come in the same order in query and support instance."""
    pairs = compared.with_right_class()
    first = compared.head_is_first
    same = pairs.per_query(first[pairs.query_row] == first[pairs.support_row]) if len(pairs.hits) else np.zeros(0)
    parts = {"same order": same, "other order": 1 - same}
    tested = [(pairs.hits * part, part) for part in parts.values()]
    differences = _both_tests(tested, pairs.episodes, np.arange(len(pairs.hits)))
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
    tested = [(overlaps * part, part) for part in parts.values()]
    differences = _both_tests(tested, pairs.episodes, np.arange(len(pairs.hits)))
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


def _both_tests(
    parts: list[tuple[np.ndarray, np.ndarray]], episodes: np.ndarray, queries: np.ndarray
) -> tuple[Difference, Difference]:
    first, second = parts
    return ratio_difference(first, second, episodes), ratio_difference(first, second, queries)


def _p_cells(differences: tuple[Difference, Difference], place: int) -> list[Cell]:
    """The p-values stand in the first row."""
    return [one.p if place == 0 else None for one in differences]


def _number(value: float) -> int | float:
    """A whole number as such."""
    return int(value) if value.is_integer() else value


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
