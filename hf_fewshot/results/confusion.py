"""Which class is taken for which."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.evaluation.references import references

MOST = 25  # classes shown by themselves
OTHER = "other classes"


def confusion(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
    """`labels`, and `counts[gold][predicted]`: of queries, of intents, or of words.

    Sets of answers count where every question has exactly one, as in classification. Rare classes count together.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for gold, predicted in zip(references(episodes), predictions, strict=True):
        for right, found in zip(gold, predicted, strict=True):
            if episodes.task == "tagging":
                pairs.update(zip(right, found, strict=True))
            elif episodes.task == "joint":
                if "intent" not in found:
                    return None
                pairs[right["intent"], found["intent"]] += 1
            elif episodes.task == "spans":
                if len(right) != 1:
                    return None
                pairs[right[0], " | ".join(found) or "no answer"] += 1
            else:
                pairs[right, found] += 1
    sizes: Counter[str] = Counter()
    for (right, found), count in pairs.items():
        sizes[right] += count
        sizes[found] += count
    if episodes.task == "spans" and len({right for right, _ in pairs}) > MOST:
        return None
    shown = sorted(name for name, _ in sizes.most_common(MOST))
    labels = shown if len(sizes) <= MOST else [*shown, OTHER]
    place = {name: number for number, name in enumerate(labels)}
    counts = [[0] * len(labels) for _ in labels]
    for (right, found), count in pairs.items():
        counts[place.get(right, len(shown))][place.get(found, len(shown))] += count
    return {"labels": labels, "counts": counts}
