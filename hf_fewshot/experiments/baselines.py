"""What can be scored without understanding anything: trivial answers to the queries of episodes."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from hf_fewshot.episodes.class_index import OUTSIDE, split_tags
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.experiments.work import Work
from hf_fewshot.folds.baselines import BASELINES as ANSWERS
from hf_fewshot.registry import unknown
from hf_fewshot.schemas import LABEL_COLUMN

Row = dict[str, Any]
Answer = Callable[[Sequence[Row], Sequence[Row]], list[Any]]


def baseline_predictions(name: str, episodes: EpisodeSet) -> list[list[Any]]:
    """The answers of a baseline of the task to the queries of all episodes."""
    known = BASELINES[episodes.task]
    if name not in known:
        raise unknown(f"baseline of task {episodes.task!r}", name, known)
    rows = episodes.examples.to_list()
    if episodes.task == "tagging":
        rows = _bare_types(rows)
    return [
        known[name]([rows[number] for number in episode.support], [rows[number] for number in episode.query])
        for episode in episodes
    ]


def always_none(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
    """None of the above, whatever is asked."""
    return [NOTA] * len(queries)


def one_class(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
    """The class with most support examples; of equals, the first."""
    column = next(column for column in (*LABEL_COLUMN.values(), "intent") if column in support[0])
    (label, _), *_ = Counter(row[column] for row in support).most_common(1)
    return [label] * len(queries)


def no_entity(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
    """O for every word."""
    return [[OUTSIDE] * len(row["tokens"]) for row in queries]


def seen_words(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
    """The tag that a word has most often in the support set; O for all other words."""
    column = "tags" if "tags" in queries[0] else "slot_tags"
    counts: dict[str, Counter[str]] = {}
    for row in support:
        for word, tag in zip(row["tokens"], row[column], strict=True):
            counts.setdefault(word.lower(), Counter())[tag] += 1
    best = {word: found.most_common(1)[0][0] for word, found in counts.items()}
    return [[best.get(word.lower(), OUTSIDE) for word in row["tokens"]] for row in queries]


def _with_one_intent(tags: Answer) -> Answer:
    def answer(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
        pairs = zip(one_class(support, queries), tags(support, queries), strict=True)
        return [{"intent": intent, "slot_tags": found} for intent, found in pairs]

    return answer


BASELINES: dict[str, dict[str, Answer]] = {
    "relation": {"always_none": always_none, "one_class": one_class},
    "classification": {"one_class": one_class},
    "tagging": {"no_entity": no_entity, "seen_words": seen_words},
    "joint": {"no_slot": _with_one_intent(no_entity), "seen_words": _with_one_intent(seen_words)},
    "spans": dict(ANSWERS),
}


def _bare_types(rows: list[Row]) -> list[Row]:
    """The rows with tags as they are predicted: types without B- and I-."""
    distinct = sorted({tag for row in rows for tag in row["tags"]})
    types = dict(zip(distinct, split_tags(distinct)[0], strict=True))
    return [{**row, "tags": [types[tag] for tag in row["tags"]]} for row in rows]


def predict(work: Work) -> list[list[Any]]:
    """A baseline as a system: the run's method is its name."""
    with work.timed("predict"):
        return baseline_predictions(work.run.method, work.data.episodes)
