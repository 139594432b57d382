"""Which class is taken for which."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references

MOST = 25  # classes shown by themselves
OTHER = "other classes"


def confusion(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
    """`labels`, and `counts[gold][predicted]`: of queries, of intents, or of words.

    None where the task has no classes to confuse (see `Task.confused`). Rare classes count together.
    """
    task = episodes.kind
    pairs: Counter[tuple[str, str]] = Counter()
    for gold, predicted in zip(references(episodes), predictions, strict=True):
        for right, found in zip(gold, predicted, strict=True):
            confused = task.confused(right, found)
            if confused is None:
                return None
            pairs.update(confused)
    sizes: Counter[str] = Counter()
    for (right, found), count in pairs.items():
        sizes[right] += count
        sizes[found] += count
    if task.most_confused is not None and len({right for right, _ in pairs}) > task.most_confused:
        return None
    shown = sorted(name for name, _ in sizes.most_common(MOST))
    labels = shown if len(sizes) <= MOST else [*shown, OTHER]
    place = {name: number for number, name in enumerate(labels)}
    counts = [[0] * len(labels) for _ in labels]
    for (right, found), count in pairs.items():
        counts[place.get(right, len(shown))][place.get(found, len(shown))] += count
    return {"labels": labels, "counts": counts}
