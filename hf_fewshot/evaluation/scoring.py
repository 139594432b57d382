"""Scores of predicted episodes by the metric of their task."""

from collections.abc import Sequence
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.evaluation.engine import references
from hf_fewshot.registry import resolve


def score_episodes(
    episodes: EpisodeSet,
    predictions: Sequence[Sequence[Any]],
    *,
    compat: str | None = None,
    batch_size: int = 1,
    **options: Any,
) -> dict[str, float]:
    """The task's scores over all queries of all episodes.

    Tagging: `entity_f1` over types; a run of one type is one entity, in tables with B- and I- tags too. Relations and
    classification: `nota_f1`. `compat="original"` scores Few-NERD as its authors do: the queries of `batch_size`
    episodes are joined before entities are read. Other options go to the metric, such as `confidence_level=0.95` for a
    bootstrap over episodes.
    """
    if len(predictions) != len(episodes):
        raise ValueError(f"{len(predictions)} predicted episodes for a set of {len(episodes)}.")
    gold = list(references(episodes))
    numbers = [index // batch_size if compat else index for index, queries in enumerate(gold) for _ in queries]
    flat_gold = [label for queries in gold for label in queries]
    flat = [label for queries in predictions for label in queries]
    if episodes.task == "tagging":
        score = resolve("hf_fewshot.metrics.entity_f1.scoring:score")
        return score(flat, flat_gold, groups=numbers, compat=compat, **options)
    score = resolve("hf_fewshot.metrics.nota_f1.scoring:score")
    return score(flat, flat_gold, nota_label=NOTA, groups=numbers, **options)
