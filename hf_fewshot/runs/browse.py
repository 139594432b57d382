"""Some episodes with their predictions, ready to be looked at."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.tasks import Task
from hf_fewshot.tasks.tags import joiner

N_EPISODES = 20
N_MEMBERS = 30


def browse_rows(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """The first episodes: `index`, `title`, `classes`, and items of `support` and `query`.

    An item has `tokens` and their `joiner`, `spans` and `label` as they are, `predicted_spans` and `predicted_label`.
    """
    rows = []
    task = episodes.kind
    for index, gold in enumerate(islice(references(episodes), N_EPISODES)):
        episode = episodes[index]
        examples = [episodes.examples[number] for number in (*episode.support[:N_MEMBERS], *episode.query[:N_MEMBERS])]
        n_support = min(len(episode.support), N_MEMBERS)
        rows.append(
            {
                "index": index,
                "title": episode.group or f"episode {index}",
                "classes": task.class_names(episode.classes),
                "support": [_item(task, example, None) for example in examples[:n_support]],
                "query": [
                    _item(task, task.with_reference(example, right), predicted)
                    for example, right, predicted in zip(examples[n_support:], gold, predictions[index], strict=False)
                ],
            }
        )
    return rows


def _item(task: Task, example: dict[str, Any], predicted: Any) -> dict[str, Any]:
    words, shown = task.words(example), task.shown(example)
    item = {"tokens": words, "joiner": joiner(words), "spans": shown.spans, "predicted_spans": None}
    item |= {"label": shown.label, "predicted_label": None}
    if predicted is not None:
        found = task.shown_prediction(predicted, example)
        item |= {"predicted_spans": found.spans, "predicted_label": found.label}
    return item
