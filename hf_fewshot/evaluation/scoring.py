"""Scores of predicted episodes by the metric of their task."""

from collections.abc import Iterable, Sequence
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.evaluation.references import references
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

    Joint: `intent_accuracy` and `slot_f1` as means over episodes, `sentence_accuracy` over all queries, as FewJoint
    reports them; of predictions without intents or without tags (SepProto's networks) only the other part. Tagging:
    `entity_f1` over types; a run of one type is one entity, in tables with B- and I- tags too. Relations and
    classification: `nota_f1`. Spans: `s1`. `compat="original"` scores Few-NERD as its authors do: the queries of
    `batch_size` episodes are joined before entities are read. Other options go to the metric, such as
    `confidence_level=0.95` for a bootstrap over units (see `unit_of`).
    """
    if len(predictions) != len(episodes):
        raise ValueError(f"{len(predictions)} predicted episodes for a set of {len(episodes)}.")
    gold = list(references(episodes))
    numbers: Iterable[int] = (index // batch_size if compat else index for index, qs in enumerate(gold) for _ in qs)
    if unit_of(episodes) == "question":
        numbers = range(sum(map(len, gold)))
    numbers = list(numbers)
    flat_gold = [label for queries in gold for label in queries]
    flat = [label for queries in predictions for label in queries]
    if episodes.task == "joint":
        return _score_joint(flat, flat_gold, numbers, options)
    if episodes.task == "spans":
        return resolve("hf_fewshot.metrics.s1.scoring:score")(flat, flat_gold, groups=numbers, **options)
    if episodes.task == "tagging":
        score = resolve("hf_fewshot.metrics.entity_f1.scoring:score")
        return score(flat, flat_gold, groups=numbers, compat=compat, **options)
    score = resolve("hf_fewshot.metrics.nota_f1.scoring:score")
    return score(flat, flat_gold, nota_label=NOTA, groups=numbers, **options)


def unit_of(episodes: EpisodeSet) -> str:
    """What is drawn independently, and so is resampled: episodes, domains, or the questions of a single episode."""
    if episodes.task == "joint":
        return "domain"
    return "question" if len(episodes) == 1 or episodes.task == "spans" else "episode"


def _score_joint(
    predictions: list[Any], gold: list[Any], groups: list[int], options: dict[str, Any]
) -> dict[str, float]:
    scores: dict[str, float] = {}
    has_intents, has_tags = (
        all(isinstance(one, dict) and name in one for one in predictions) for name in ("intent", "slot_tags")
    )
    if not has_intents and not has_tags:
        raise ValueError(f"Expected predictions with 'intent', 'slot_tags' or both, got {predictions[0]!r} first.")
    if has_intents:
        # Without tags every sentence counts as tagged right, and the accuracy of sentences means nothing.
        rows = [part if has_tags else [{**one, "slot_tags": []} for one in part] for part in (predictions, gold)]
        found = resolve("hf_fewshot.metrics.joint_accuracy.scoring:score")(*rows, groups=groups, **options)
        for name, value in found.items():
            if name.startswith("intent_accuracy_group_mean"):
                scores[name.replace("_group_mean", "")] = value
            elif has_tags and name.startswith("sentence_accuracy") and "group_mean" not in name:
                scores[name] = value
    if has_tags:
        tags = [[one["slot_tags"] for one in part] for part in (predictions, gold)]
        found = resolve("hf_fewshot.metrics.slot_f1.scoring:score")(*tags, groups=groups, average="episode", **options)
        wanted = ("f1", "precision", "recall")
        scores |= {f"slot_{name}": value for name, value in found.items() if name.startswith(wanted)}
    return scores
