"""Some episodes with their predictions, ready to be looked at."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from hf_fewshot.display import joiner, tag_spans
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.evaluation.references import references
from hf_fewshot.schemas import LABEL_COLUMN

N_EPISODES = 20
N_MEMBERS = 30


def browse_rows(episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """The first episodes: `index`, `title`, `classes`, and items of `support` and `query`.

    An item has `tokens` and their `joiner`, `spans` and `label` as they are, `predicted_spans` and `predicted_label`.
    """
    rows = []
    for index, gold in enumerate(islice(references(episodes), N_EPISODES)):
        episode = episodes[index]
        examples = [episodes.examples[number] for number in (*episode.support[:N_MEMBERS], *episode.query[:N_MEMBERS])]
        n_support = min(len(episode.support), N_MEMBERS)
        rows.append(
            {
                "index": index,
                "title": episode.group or f"episode {index}",
                "classes": [name.partition(":")[2] if episodes.task == "joint" else name for name in episode.classes],
                "support": [_item(episodes.task, example, None) for example in examples[:n_support]],
                "query": [
                    _item(episodes.task, {**example, **_gold(episodes.task, right)}, predicted)
                    for example, right, predicted in zip(examples[n_support:], gold, predictions[index], strict=False)
                ],
            }
        )
    return rows


def _gold(task: str, right: Any) -> dict[str, Any]:
    """What is right within an episode, in the columns of an example: another class is none of the above."""
    if task == "joint":
        return right
    column = {"spans": "answers", **LABEL_COLUMN}[task]
    return {column: right}


def _item(task: str, example: dict[str, Any], predicted: Any) -> dict[str, Any]:
    tokens = example["tokens"] if "tokens" in example else _words(task, example)
    item: dict[str, Any] = {"tokens": tokens, "joiner": joiner(tokens), "spans": [], "predicted_spans": None}
    item |= {"label": None, "predicted_label": None}
    if task in ("tagging", "joint"):
        item["spans"] = tag_spans(example["tags" if task == "tagging" else "slot_tags"])
    if task == "relation":
        mentions = [(side, example[side]["mentions"][0]) for side in ("head", "tail")]
        item["spans"] = [(mention["start"], mention["end"], side) for side, mention in mentions]
    item["label"] = _label(task, example)
    if predicted is not None:
        tags = predicted.get("slot_tags") if task == "joint" else predicted if task == "tagging" else None
        item["predicted_spans"] = tag_spans(tags) if tags is not None else item["spans"]
        item["predicted_label"] = _shown(task, predicted)
    return item


def _words(task: str, example: dict[str, Any]) -> list[str]:
    text = example["text"] if task == "classification" else f"{example['question']} | {' / '.join(example['context'])}"
    return text.split()


def _label(task: str, example: dict[str, Any]) -> str | None:
    if task == "spans":
        return _shown(task, example["answers"])
    column = {"joint": "intent", "relation": "relation", "classification": "label"}.get(task)
    return None if column is None else example[column]


def _shown(task: str, predicted: Any) -> str | None:
    if task == "spans":
        return " | ".join(predicted) or "no answer"
    if task == "joint":
        return predicted.get("intent")
    return None if task == "tagging" else predicted
