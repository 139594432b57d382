"""Predictions looked into, as their task sees fit."""

from collections.abc import Sequence
from typing import Any

from hf_fewshot.analyses.charts import Chart
from hf_fewshot.analyses.findings import Findings, Sheet
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.registry import resolve

Found = tuple[list[Sheet], list[Chart]]


def analysis(benchmark: str, title: str, episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Findings:
    """Tables and charts about predictions of any system.

    Args:
        benchmark: whose episodes they are.
        title: what has predicted what.
        predictions: one for each query of each episode.
    """
    if len(predictions) != len(episodes):
        raise ValueError(f"{len(predictions)} predicted episodes for a set of {len(episodes)}.")
    sheets, charts = resolve(episodes.kind.analysis)(episodes, predictions)
    return Findings(benchmark, title, tuple(sheets), tuple(charts))
