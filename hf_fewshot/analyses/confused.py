"""Which classes are taken for which, most frequent first."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from hf_fewshot.analyses.analysis import Found
from hf_fewshot.analyses.findings import Cell, Sheet
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references

MOST = 20  # pairs shown


def analyse(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Found:
    """The confused pairs alone: what any task has whose `Task.confused` says something."""
    return confused_sheets(episodes, predictions), []


def confused_sheets(
    episodes: EpisodeSet, predictions: Sequence[Sequence[Any]], leave_out: Collection[str] = ()
) -> list[Sheet]:
    """A table of confused pairs; none where the task has no classes to confuse, or too many (see `Task`).

    Args:
        leave_out: classes whose confusions are not listed.
    """
    times: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    for gold, predicted in zip(references(episodes), predictions, strict=True):
        for right, found in zip(gold, predicted, strict=True):
            pairs = episodes.kind.confused(right, found)
            if pairs is None:
                return []
            times.update(pairs)
            sizes.update(one for one, _ in pairs)
    most = episodes.kind.most_confused
    if most is not None and len(sizes) > most:
        return []
    wrong = {
        pair: count for pair, count in times.items() if pair[0] != pair[1] and not set(leave_out).intersection(pair)
    }
    ranked = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))
    rows: list[list[Cell]] = [
        [right, found, count, 100 * count / sizes[right]] for (right, found), count in ranked[:MOST]
    ]
    more = f"The {MOST} most frequent of {len(ranked)} pairs." if len(ranked) > MOST else ""
    without = f"Without {', '.join(sorted(leave_out))}." if leave_out else ""
    note = " ".join(filter(None, [more, without]))
    return [Sheet.of("Confused pairs", ["right", "predicted", "times", "of the right one (%)"], rows, note)]
