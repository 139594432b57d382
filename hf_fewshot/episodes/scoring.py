"""Scores of predicted episodes by the metric of their task."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.given_rows import Episodes, episode_set
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scores import Scores


def score(
    episodes: Episodes,
    predictions: Sequence[Sequence[Any]],
    *,
    compat: str | None = None,
    batch_size: int = 1,
    **options: Any,
) -> Scores:
    """The task's scores over all queries of all episodes.

    Joint: `intent_accuracy` and `slot_f1` as means over episodes, `sentence_accuracy` over all queries, as FewJoint
    reports them; of predictions without intents or without tags (SepProto's networks) only the other part. Tagging:
    `entity_f1`; a run of one type is one entity, and in tables with B- and I- tags B- begins another. Relations and
    classification: `nota_f1`. Spans: `s1`. `compat="original"` scores Few-NERD as its authors do: the queries of
    `batch_size` episodes are joined before entities are read. Other options go to the metric, such as
    `confidence_level=0.95` for a bootstrap over units (see `unit_of`).

    Args:
        episodes: an `EpisodeSet`, or rows of episodes as `load_dataset` gives them.
        predictions: of each episode, in order of its queries.
    """
    episodes = episode_set(episodes)
    if len(predictions) != len(episodes):
        raise ValueError(f"{len(predictions)} predicted episodes for a set of {len(episodes)}.")
    flat_gold: list[Any] = []
    ends = array("q", [0])
    for queries in references(episodes):
        flat_gold += queries
        ends.append(len(flat_gold))
    numbers = np.arange(len(flat_gold))
    if unit_of(episodes) != "question":
        joined = np.arange(len(episodes)) // (batch_size if compat else 1)
        numbers = np.repeat(joined, np.diff(ends))
    flat = [label for queries in predictions for label in queries]
    options = {**episodes.kind.scored_by(episodes.examples), **options}
    return Scores(episodes.kind.score(flat, flat_gold, numbers, compat=compat, **options))


def unit_of(episodes: EpisodeSet) -> str:
    """What is drawn independently, and so is resampled: episodes, domains, or the questions of a single episode."""
    return episodes.kind.unit(len(episodes))
